import { z } from "zod";
import type { CommandButton } from "../../commands/answer.ts";
import { type Change, isCreation, isRemoval, isServiceChange } from "../change.ts";
import { isSeries, stepsOf } from "../steps/series.ts";
import { wayToCheck } from "./way-to-check.ts";

/** The ways to settle a change whose outcome is unknown; none for another. */
export function unknownButtons(change: Change): readonly CommandButton[] {
  if (change.state !== "unknown" || !isServiceChange(change)) return [];
  if (isSeries(change)) return seriesButtons(change);
  const input = { change: change.id };
  const [yes, no] = seenLabels(change);
  return [
    ...(wayToCheck(change) ? [checkNow(change)] : []),
    { label: yes, words: "outcome", opens: "result", input: { ...input, seen: "done" } },
    { label: no, words: "outcome", opens: "result", input: { ...input, seen: "not-done" } },
  ];
}

const checkNow = ({ id }: Change): CommandButton => ({
  ...{ label: "Check now", words: "recheck", opens: "result", input: { change: id } },
});

/** Of the first step whose outcome is unknown. Checking finds out about all of them. */
function seriesButtons(series: Change): readonly CommandButton[] {
  const reports = unknownStep(series).flatMap(({ change }) =>
    unknownButtons(change).filter(({ words }) => words === "outcome"),
  );
  return [checkNow(series), ...reports];
}

function unknownStep(series: Change): readonly { readonly asked: string; readonly change: Change }[] {
  const unknown = stepsOf(series).flatMap(({ asked, change }) =>
    change?.state === "unknown" ? [{ asked, change }] : [],
  );
  return unknown.slice(0, 1);
}

function seenLabels(change: Change): readonly [string, string] {
  if (isCreation(change)) return ["It's there", "It isn't"];
  return isRemoval(change) ? ["It's gone", "It's still there"] : ["It was done", "It wasn't"];
}

/** What finds out whether a change was made; empty unless its outcome is unknown. */
export function howToFindOut(change: Change): readonly string[] {
  if (change.state !== "unknown" || !isServiceChange(change)) return [];
  if (isSeries(change))
    return unknownStep(change).flatMap(({ asked, change: step }) => [`Unknown: ${asked}.`, ...howToFindOut(step)]);
  switch (wayToCheck(change)) {
    case "read":
      return ["Curfew looks again by itself; “Check now” looks now."];
    case "repeat":
      return ["“Check now” sends the same request again and shows the outcome. A later change is never taken back."];
    case undefined:
      return [lookFor(change)];
  }
}

const named = z.object({ name: z.string() });

function lookFor(change: Change): string {
  const name = named.safeParse(change.request).data?.name;
  if (isCreation(change) && name !== undefined) return `Look for “${name}” in the service's ${change.subjectKind}s.`;
  return "Look in the service whether it was done.";
}

/** How an unknown outcome was found out. */
export function verifiedWords({ verified }: Change): readonly Verified[] {
  if (verified === null) return [];
  const { how, by } = verified;
  switch (how) {
    case "read":
      return [{ by, words: by === null ? "has looked in the service" : "had Curfew look in the service" }];
    case "repeated":
      return [{ by, words: "had it checked by sending it again" }];
    case "seen":
      return [{ by, words: "looked in the service" }];
  }
}

interface Verified {
  /** Null for Curfew. */
  readonly by: { readonly userId: string; readonly name: string } | null;
  readonly words: string;
}
