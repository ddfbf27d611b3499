import type { KnownBlock } from "@slack/types";
import { type Change, isRemoval } from "../../changes/change.ts";
import { describeChange } from "../../changes/change-command.ts";
import { whenExclusionEnds } from "../../changes/exclusion-end.ts";
import type { CommandButton, Fact } from "../../commands/answer.ts";
import { factLine } from "./facts.ts";
import { date, mention, mrkdwn } from "./message.ts";

/** The state of an exclusion: ended by somebody, over by its end time, switched off, or in force. */
export type ExclusionState =
  | { readonly kind: "ended" }
  | { readonly kind: "over" | "off" | "off-and-over" | "in-force"; readonly endsAt: number };

/** Derived from a succeeded change, the later ones and the clock. Undefined for other things, and when the end is not known. */
export function exclusionState(change: Change, later: readonly Change[], now: number): ExclusionState | undefined {
  if (change.subjectKind !== "exclusion" || change.state !== "succeeded") return undefined;
  const changes = [change, ...later];
  if (changes.some(isRemoval)) return { kind: "ended" };
  const lasting = whenExclusionEnds(changes);
  if (!lasting) return undefined;
  const { endsAt, isEnabled } = lasting;
  const isOver = endsAt <= now;
  if (!isEnabled) return { kind: isOver ? "off-and-over" : "off", endsAt };
  return { kind: isOver ? "over" : "in-force", endsAt };
}

/** Whether it is over: all that can still be done is to make it last again. */
export function isPast(state: ExclusionState | undefined): boolean {
  return state?.kind === "ended" || state?.kind === "over" || state?.kind === "off-and-over";
}

/** The facts of a change with the present end: a moved or ended exclusion must not look as if its old end still counted. */
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

/** The later changes of an exclusion, a line each, the latest last. */
export function laterLines(later: readonly Change[]): KnownBlock[] {
  const hidden = later.length - shownLater;
  const more = hidden > 0 ? [line(`:fast_forward: ${hidden} earlier ${hidden === 1 ? "change" : "changes"}.`)] : [];
  return [...more, ...later.slice(-shownLater).map((change) => line(laterText(change)))];
}

function laterText(change: Change): string {
  const by = `by ${mention(change.actor.userId)} (change \`${change.id}\`)`;
  if (isRemoval(change)) return `:checkered_flag: Ended ${by}`;
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

/** Says that it is over or switched off, where no later change says so. */
export function stateLine(state: ExclusionState | undefined, zone: string): KnownBlock[] {
  switch (state?.kind) {
    case "over":
      return [line(`:checkered_flag: Ended as planned: ${date(state.endsAt, zone)}`)];
    case "off":
      return [line(":mute: Switched off: it has no effect.")];
    case "off-and-over":
      return [line(`:mute: Switched off, and past its end: ${date(state.endsAt, zone)}`)];
    default:
      return [];
  }
}

/** The buttons of an exclusion that is not past. */
export function stateButtons(id: string, state: ExclusionState | undefined): readonly CommandButton[] {
  return state?.kind === "off" ? offButtonsFor(id) : exclusionButtonsFor(id);
}

/** The buttons of an exclusion in force. */
export function exclusionButtonsFor(id: string): readonly CommandButton[] {
  const input = { exclusion: id };
  return [{ label: "Extend", words: "exclusion extend", opens: "form", input }, endButton(id)];
}

/** The edit form can switch it on again. */
function offButtonsFor(id: string): readonly CommandButton[] {
  return [{ label: "Edit", words: "exclusion edit", opens: "form", input: { exclusion: id } }, endButton(id)];
}

function endButton(id: string): CommandButton {
  return { label: "End", words: "exclusion end", opens: "result", input: { exclusion: id } };
}

function line(text: string): KnownBlock {
  return { type: "section", text: mrkdwn(text) };
}
