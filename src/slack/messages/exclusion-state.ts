import type { KnownBlock } from "@slack/types";
import type { Change } from "../../changes/change.ts";
import { describeChange } from "../../changes/change-command.ts";
import { whenExclusionEnds } from "../../changes/exclusion-end.ts";
import type { CommandButton, Fact } from "../../commands/answer.ts";
import { factLine } from "./facts.ts";
import { date, mention, mrkdwn } from "./message.ts";

/** What has become of an exclusion by now: somebody ended it, its end has come, it is switched off, or it is in force. */
export type ExclusionState =
  | { readonly kind: "ended" }
  | { readonly kind: "over" | "off" | "off-and-over" | "in-force"; readonly endsAt: number };

/** By a succeeded change, those since, and the clock; undefined when it is about something else, or its end is not known. */
export function exclusionState(change: Change, later: readonly Change[], now: number): ExclusionState | undefined {
  if (change.subjectKind !== "exclusion" || change.state !== "succeeded") return undefined;
  const changes = [change, ...later];
  if (changes.some(isEnd)) return { kind: "ended" };
  const lasting = whenExclusionEnds(changes);
  if (!lasting) return undefined;
  const { endsAt, isEnabled } = lasting;
  const isOver = endsAt <= now;
  if (!isEnabled) return { kind: isOver ? "off-and-over" : "off", endsAt };
  return { kind: isOver ? "over" : "in-force", endsAt };
}

/** Whether nothing can be done about it any more, but to make it last again. */
export function isPast(state: ExclusionState | undefined): boolean {
  return state?.kind === "ended" || state?.kind === "over" || state?.kind === "off-and-over";
}

const isEnd = ({ operation }: Change): boolean => operation === "DeleteActionExclusion";

/** A change's facts, with the end as it is by now: one that was moved since, and one that nothing comes to any more, is not told as running. */
export function presentFacts(facts: readonly Fact[], state: ExclusionState | undefined): readonly Fact[] {
  return state ? facts.map((fact) => (fact.label === "Until" ? presentEnd(fact, state) : fact)) : facts;
}

function presentEnd(fact: Fact, state: ExclusionState): Fact {
  if (state.kind === "ended") return { ...fact, label: "Would have ended" };
  const { value, before } = fact;
  const isMoved = before === undefined && typeof value === "object" && "at" in value && value.at !== state.endsAt;
  const present = isMoved ? { ...fact, value: { at: state.endsAt }, before: value } : fact;
  const isOff = state.kind === "off" || state.kind === "off-and-over";
  return isOff ? { ...present, label: "Would end" } : present;
}

const shownLater = 3;
const shownFacts = 600;

/** What was done to the exclusion since, a line each, the latest last. */
export function laterLines(later: readonly Change[]): KnownBlock[] {
  const hidden = later.length - shownLater;
  const more =
    hidden > 0 ? [line(`:fast_forward: ${hidden} earlier ${hidden === 1 ? "change" : "changes"} of it.`)] : [];
  return [...more, ...later.slice(-shownLater).map((change) => line(laterText(change)))];
}

function laterText(change: Change): string {
  const by = `by ${mention(change.actor.userId)} (change \`${change.id}\`)`;
  if (isEnd(change)) return `:checkered_flag: Ended ${by}`;
  const { facts } = describeChange(change);
  const zone = change.actor.timeZone;
  if (change.words !== "exclusion edit") {
    const until = facts.find(({ label }) => label === "Until")?.value;
    const moved = typeof until === "object" && "at" in until ? ` to ${date(until.at, zone)}` : "";
    return `:arrow_right: End moved${moved} ${by}`;
  }
  const altered = factLine(
    facts.filter(({ before }) => before !== undefined),
    zone,
    shownFacts,
  );
  return `:pencil2: Edited ${by}${altered ? `: ${altered}` : ""}`;
}

/** Where what was done since does not say it: that its end has come, or that it is switched off. */
export function stateLine(state: ExclusionState | undefined, zone: string): KnownBlock[] {
  switch (state?.kind) {
    case "over":
      return [line(`:checkered_flag: Ended as planned: ${date(state.endsAt, zone)}`)];
    case "off":
      return [line(":mute: Switched off: it holds nothing back.")];
    case "off-and-over":
      return [line(`:mute: Switched off, and its time is over: ${date(state.endsAt, zone)}`)];
    default:
      return [];
  }
}

/** What can be done about an exclusion that is not past. */
export function stateButtons(id: string, state: ExclusionState | undefined): readonly CommandButton[] {
  return state?.kind === "off" ? offButtonsFor(id) : exclusionButtonsFor(id);
}

/** What can be done about an exclusion, by its id. */
export function exclusionButtonsFor(id: string): readonly CommandButton[] {
  const input = { exclusion: id };
  return [{ label: "Extend", words: "exclusion extend", opens: "form", input }, endButton(id)];
}

/** Its form switches it on again. */
function offButtonsFor(id: string): readonly CommandButton[] {
  return [{ label: "Edit", words: "exclusion edit", opens: "form", input: { exclusion: id } }, endButton(id)];
}

function endButton(id: string): CommandButton {
  return { label: "End", words: "exclusion end", opens: "result", input: { exclusion: id } };
}

function line(text: string): KnownBlock {
  return { type: "section", text: mrkdwn(text) };
}
