import { z } from "zod";
import { type CommandButton, resultButton } from "../../commands/answer.ts";
import { type Operation, operations } from "../../service/operations.ts";
import { type Change, isCreation, isRemoval, isServiceChange, type ServiceChange } from "../change.ts";
import { isSeries, stepsOf } from "../steps/series.ts";

/** The ways to settle a change whose outcome is unknown; none for another. */
export function unknownButtons(change: Change): readonly CommandButton[] {
  if (change.state !== "unknown" || !isServiceChange(change)) return [];
  if (isSeries(change)) return seriesButtons(change);
  const input = { change: change.id };
  const [yes, no] = seenLabels(change);
  return [
    ...(wayToCheck(change) ? [checkNow(change)] : []),
    resultButton(yes, "outcome", { ...input, seen: "done" }),
    resultButton(no, "outcome", { ...input, seen: "not-done" }),
  ];
}

const checkNow = ({ id }: Change): CommandButton => resultButton("Check now", "recheck", { change: id });

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
      return ["“Check now” sends it again and shows the outcome."];
    case undefined:
      return [lookFor(change)];
  }
}

const named = z.object({ name: z.string() });

function lookFor(change: Change): string {
  const name = named.safeParse(change.request).data?.name;
  if (isCreation(change) && name !== undefined) return `Look for “${name}” in the service.`;
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

/**
 * How Curfew can find out the unknown outcome of a change: it reads the result, or sends the same request again.
 * Undefined where only a person who looks in the service can: a second creation would be a second thing.
 */
export function wayToCheck({ operation }: Pick<ServiceChange, "operation">): "read" | "repeat" | undefined {
  const { readBack, effect, isOnce }: Operation = operations[operation];
  if (readBack) return "read";
  return effect === "create" || isOnce ? undefined : "repeat";
}

const firstCheckMs = 60_000;
const lastCheckMs = 24 * 60 * 60_000;

/** When Curfew first looks for the outcome of a change. */
export const firstCheckAt = (settledAt: number): number => settledAt + firstCheckMs;

/** When it looks again, four times as late each time; undefined after a day. */
export function nextCheckAt({ settledAt, requestedAt }: Change, checkedAt: number): number | undefined {
  const since = settledAt ?? requestedAt;
  const next = since + 4 * Math.max(firstCheckMs, checkedAt - since);
  return next - since > lastCheckMs ? undefined : next;
}
