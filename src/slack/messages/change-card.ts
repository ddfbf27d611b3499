import type { KnownBlock } from "@slack/types";
import { type Change, stateWords } from "../../changes/change.ts";
import { describeChange } from "../../changes/change-command.ts";
import { inverseOf, notUndone } from "../../changes/undo.ts";
import type { CommandButton, Description } from "../../commands/answer.ts";
import { approvalBlocks, approvalButtons, exactRequest, shownFacts } from "./approval-blocks.ts";
import { buttonRow } from "./button.ts";
import { stateIcons, stateSentence } from "./change-state.ts";
import {
  type ExclusionState,
  exclusionState,
  isPast,
  laterLines,
  presentFacts,
  stateButtons,
  stateLine,
} from "./exclusion-state.ts";
import { factFields } from "./facts.ts";
import type { Message } from "./message.ts";
import { clip, escapeMrkdwn, escapeWithin, limits, mention, mrkdwn } from "./message.ts";

/**
 * The card of a change, for a channel: who, what, before → after, until when, why, and the change id; of one that needs approval also
 * whose, with its buttons, and then who decided what. `later` are the succeeded changes about the same thing since; that of an
 * exclusion says what was done to it since and what it is like at `now`, and has the buttons that fit.
 */
export function changeCard(change: Change, later: readonly Change[], now: number): Message {
  const exclusion = exclusionState(change, later, now);
  const description = describeChange(change);
  const { timeZone } = change.actor;
  const facts = factFields(presentFacts(description.facts, exclusion).slice(0, shownFacts(change)), timeZone);
  const head: KnownBlock[] = [
    { type: "section", text: mrkdwn(headline(change, description)) },
    ...(facts.length ? [{ type: "section", fields: facts } as const] : []),
  ];
  const foot: KnownBlock[] = [
    ...approvalBlocks(change),
    ...sinceLines(change, later),
    ...stateLine(exclusion, timeZone),
    { type: "context", elements: [mrkdwn(footer(change))] },
    ...(isPast(exclusion)
      ? []
      : buttonRow([...approvalButtons(change), ...exclusionButtons(change, exclusion), ...undoButton(change, later)])),
  ];
  return {
    text: fallback(change, description),
    blocks: [...head, ...exactRequest(change, [...head, ...foot]), ...foot],
  };
}

/** One line about a change, for the thread of an earlier card, or of its own. */
export function threadLine(change: Change): Message {
  const description = describeChange(change);
  const { facts: all } = description;
  const altered = all.filter(({ before }) => before !== undefined);
  const told = (altered.length ? altered : all.slice(0, 1)).slice(0, limits.fieldsInSection);
  const facts = change.state === "succeeded" ? told : [];
  return {
    text: fallback(change, description),
    blocks: [
      { type: "section", text: mrkdwn(`${headline(change, description)} · change \`${change.id}\``) },
      ...(facts.length ? [{ type: "section", fields: factFields(facts, change.actor.timeZone) } as const] : []),
    ],
  };
}

function headline(change: Change, { done, asked }: Description): string {
  const { actor, state } = change;
  const who = `${stateIcons[state]} ${mention(actor.userId)}`;
  if (state === "succeeded") return `${who} ${escapeWithin(done, headlineText)}`;
  if (state === "unknown")
    return `${who} asked to ${escapeWithin(asked, headlineText)}. *The outcome is unknown:* it may have happened.`;
  return `${who} asked to ${escapeWithin(asked, headlineText)}. ${escapeWithin(stateSentence(change), headlineText)}`;
}

const headlineText = 700;

function fallback({ actor, state, id }: Change, { done, asked }: Description): string {
  const what = state === "succeeded" ? done : `asked to ${asked} (${stateWords[state]})`;
  return escapeMrkdwn(clip(`${actor.name} ${what} · change ${id}`, 1000));
}

function footer({ id, reason, role, note }: Change): string {
  const parts = [
    `Change \`${id}\``,
    ...(reason ? [`Reason: ${escapeMrkdwn(reason)}`] : []),
    `as ${escapeMrkdwn(role)}`,
    ...(note ? [escapeMrkdwn(note)] : []),
  ];
  return clip(parts.join(" · "), limits.fieldText);
}

/** That it was taken back; of an exclusion also what else was done to it since. */
function sinceLines(change: Change, later: readonly Change[]): KnownBlock[] {
  const undone = later.find(({ undoes }) => undoes === change.id);
  if (undone) {
    const by = `Undone by ${mention(undone.actor.userId)} (change \`${undone.id}\`)`;
    return [{ type: "section", text: mrkdwn(`:leftwards_arrow_with_hook: ${by}`) }];
  }
  return change.subjectKind === "exclusion" ? laterLines(later) : [];
}

/** An exclusion's making is taken back by ending it, for which its card has a button already. */
function undoButton(change: Change, later: readonly Change[]): readonly CommandButton[] {
  const isEndable = change.operation === "CreateActionExclusion";
  return isEndable || notUndone(later).length > 0 ? [] : undoButtons(change);
}

/** The button that takes a change back, where its command knows a way. */
export function undoButtons(change: Change): readonly CommandButton[] {
  return inverseOf(change) ? [{ label: "Undo", words: "undo", opens: "result", input: { change: change.id } }] : [];
}

function exclusionButtons(
  { subjectKind, subjectId, state }: Change,
  exclusion: ExclusionState | undefined,
): readonly CommandButton[] {
  const isThere = subjectKind === "exclusion" && state === "succeeded" && subjectId !== null;
  return isThere ? stateButtons(subjectId, exclusion) : [];
}
