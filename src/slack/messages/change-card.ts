import type { KnownBlock } from "@slack/types";
import { type Change, isCreation, stateWords } from "../../changes/change.ts";
import { describeChange } from "../../changes/change-command.ts";
import type { SummedUp } from "../../changes/outbox-message.ts";
import { inverseOf, notUndone } from "../../changes/undo.ts";
import type { CommandButton, Description } from "../../commands/answer.ts";
import { formatDuration } from "../../time/duration.ts";
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
 * The card of a change, for a channel: requester, change, before → after, reason, change id, and its approval with its buttons and
 * decisions. `later` are the succeeded changes of the same thing since. The card of an exclusion shows them and its state at `now`.
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
  const footer: KnownBlock[] = [
    ...approvalBlocks(change),
    ...sinceLines(change, later),
    ...stateLine(exclusion, timeZone),
    { type: "context", elements: [mrkdwn(footerText(change))] },
    ...(isPast(exclusion)
      ? []
      : buttonRow([...approvalButtons(change), ...exclusionButtons(change, exclusion), ...undoButton(change, later)])),
  ];
  return {
    text: fallback(change, description),
    blocks: [...head, ...exactRequest(change, [...head, ...footer]), ...footer],
  };
}

/** One line about a change, for the thread of its own card or of an earlier one. */
export function threadLine(change: Change): Message {
  const description = describeChange(change);
  const { facts: all } = description;
  const altered = all.filter(({ before }) => before !== undefined);
  const shown = (altered.length ? altered : all.slice(0, 1)).slice(0, limits.fieldsInSection);
  const facts = change.state === "succeeded" ? shown : [];
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

function footerText({ id, reason, role, note }: Change): string {
  const parts = [
    `Change \`${id}\``,
    ...(reason ? [`Reason: ${escapeMrkdwn(reason)}`] : []),
    `as ${escapeMrkdwn(role)}`,
    ...(note ? [escapeMrkdwn(note)] : []),
  ];
  return clip(parts.join(" · "), limits.fieldText);
}

/** Says that the change was undone; for an exclusion also which changes came later. */
function sinceLines(change: Change, later: readonly Change[]): KnownBlock[] {
  const undone = later.find(({ undoes }) => undoes === change.id);
  if (undone) {
    const by = `Undone by ${mention(undone.actor.userId)} (change \`${undone.id}\`)`;
    return [{ type: "section", text: mrkdwn(`:leftwards_arrow_with_hook: ${by}`) }];
  }
  return change.subjectKind === "exclusion" ? laterLines(later) : [];
}

/** No Undo for creating an exclusion: its card has an End button for that. */
function undoButton(change: Change, later: readonly Change[]): readonly CommandButton[] {
  const isEndable = change.subjectKind === "exclusion" && isCreation(change);
  return isEndable || notUndone(later).length > 0 ? [] : undoButtons(change);
}

/** The Undo button, if the command of the change can be undone. */
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

/** How many people, states and commands a summary names each; the rest are counted together. */
const maxNamed = 20;

/** One card for a burst of changes: how many, by whom, how they ended and which commands. Their own cards are in its thread. */
export function summaryCard(changes: readonly SummedUp[]): Message {
  const names = new Map(changes.map(({ actorId, actorName }) => [actorId, actorName]));
  const by = countsOf(changes.map(({ actorId }) => actorId));
  const ended = listed(countsOf(changes.map(({ state }) => state)), (state, count) => `${count} ${state}`);
  const done = listed(countsOf(changes.map(({ words }) => words)), (words, count) => `${count} × ${words}`);
  const people = (name: (id: string) => string) => listed(by, (id, count) => `${count} by ${name(id)}`);
  const headline = `${changes.length} changes within ${spanOf(changes)}`;
  const fallback = `${headline}: ${people((id) => names.get(id) ?? id)}; ${ended}`;
  return {
    text: escapeMrkdwn(clip(fallback, 1000)),
    blocks: [
      {
        type: "section",
        text: mrkdwn(`:card_index_dividers: *${headline}:* ${people(mention)}; ${escapeWithin(ended, 500)}`),
      },
      { type: "section", text: mrkdwn(escapeWithin(done, limits.fieldText)) },
      { type: "context", elements: [mrkdwn("Each change has its own card in this thread.")] },
    ],
  };
}

type Count = readonly [key: string, count: number];

/** Most frequent first. */
function countsOf(keys: readonly string[]): readonly Count[] {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return [...counts].sort(([, one], [, other]) => other - one);
}

function listed(counts: readonly Count[], format: (key: string, count: number) => string): string {
  const rest = counts.slice(maxNamed).reduce((sum, [, count]) => sum + count, 0);
  const named = counts.slice(0, maxNamed).map(([key, count]) => format(key, count));
  return [...named, ...(rest > 0 ? [`${rest} more`] : [])].join(", ");
}

function spanOf(changes: readonly SummedUp[]): string {
  const times = changes.map(({ queuedAt }) => queuedAt);
  return formatDuration(Math.max(1000, Math.max(...times) - Math.min(...times)));
}
