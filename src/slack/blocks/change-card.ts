import type { KnownBlock } from "@slack/types";
import { type Change, stateWords } from "../../changes/change.ts";
import { describeChange } from "../../changes/describe-change.ts";
import { inverseOf } from "../../changes/undo.ts";
import { whenExclusionEnds } from "../../changes/when-exclusion-ends.ts";
import type { CommandButton, Description } from "../../commands/answer.ts";
import { approvalBlocks, approvalButtons, exactRequest, shownFacts } from "./approval-blocks.ts";
import { buttonRow } from "./button.ts";
import { stateIcons, stateSentence } from "./change-state.ts";
import { clip } from "./clip.ts";
import { factFields } from "./facts.ts";
import { limits } from "./limits.ts";
import type { Message } from "./message.ts";
import { date, escapeMrkdwn, escapeWithin, mention, mrkdwn } from "./mrkdwn.ts";

/**
 * The card of a change, for a channel: who, what, before → after, until when, why, and the change id; of one that needs approval also
 * whose, with its buttons, and then who decided what. `later` are the succeeded changes about the same thing since; an exclusion that
 * was moved or ended, or whose end has passed by `now`, says so and loses the buttons that no longer fit.
 */
export function changeCard(change: Change, later: readonly Change[], now: number): Message {
  const over = overLine(change, later, now);
  const description = describeChange(change);
  const facts = factFields(description.facts.slice(0, shownFacts(change)), change.actor.timeZone);
  const head: KnownBlock[] = [
    { type: "section", text: mrkdwn(headline(change, description)) },
    ...(facts.length ? [{ type: "section", fields: facts } as const] : []),
  ];
  const foot: KnownBlock[] = [
    ...approvalBlocks(change),
    ...laterLines(change, later),
    ...over,
    { type: "context", elements: [mrkdwn(footer(change))] },
    ...(over.length
      ? []
      : buttonRow([...approvalButtons(change), ...exclusionButtons(change, later), ...undoButton(change, later)])),
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

function laterLines(change: Change, later: readonly Change[]): KnownBlock[] {
  const undone = later.find(({ undoes }) => undoes === change.id);
  if (undone)
    return [line(`:leftwards_arrow_with_hook: Undone by ${mention(undone.actor.userId)} (change \`${undone.id}\`)`)];
  const last = later.at(-1);
  if (!last || change.subjectKind !== "exclusion") return [];
  const until = describeChange(last).facts.find((fact) => fact.label === "Until");
  const moved =
    until && typeof until.value === "object" && "at" in until.value
      ? ` to ${date(until.value.at, last.actor.timeZone)}`
      : "";
  const text = isEnd(last)
    ? `:checkered_flag: Ended by ${mention(last.actor.userId)} (change \`${last.id}\`)`
    : `:arrow_right: ${last.words === "exclusion edit" ? "Edited" : `End moved${moved}`} by ${mention(last.actor.userId)} (change \`${last.id}\`)`;
  return [line(text)];
}

/** That an exclusion came to its end by itself. */
function overLine(change: Change, later: readonly Change[], now: number): KnownBlock[] {
  const { endsAt } = (change.state === "succeeded" && whenExclusionEnds([change, ...later])) || {};
  if (endsAt === undefined || endsAt > now) return [];
  return [line(`:checkered_flag: Ended as planned: ${date(endsAt, change.actor.timeZone)}`)];
}

function line(text: string): KnownBlock {
  return { type: "section", text: mrkdwn(text) };
}

/** An exclusion's making is taken back by ending it, for which its card has a button already. */
function undoButton(change: Change, later: readonly Change[]): readonly CommandButton[] {
  const isEndable = change.operation === "CreateActionExclusion";
  return isEndable || later.length > 0 ? [] : undoButtons(change);
}

/** The button that takes a change back, where its command knows a way. */
export function undoButtons(change: Change): readonly CommandButton[] {
  return inverseOf(change) ? [{ label: "Undo", words: "undo", opens: "result", input: { change: change.id } }] : [];
}

function exclusionButtons(change: Change, later: readonly Change[]): readonly CommandButton[] {
  const isLive =
    change.subjectKind === "exclusion" && change.state === "succeeded" && !isEnd(change) && !later.some(isEnd);
  return isLive && change.subjectId !== null ? exclusionButtonsFor(change.subjectId) : [];
}

/** What can be done about an exclusion, by its id. */
export function exclusionButtonsFor(id: string): readonly CommandButton[] {
  const input = { exclusion: id };
  return [
    { label: "Extend", words: "exclusion extend", opens: "form", input },
    { label: "End", words: "exclusion end", opens: "result", input },
  ];
}

const isEnd = ({ operation }: Change): boolean => operation === "DeleteActionExclusion";
