import type { KnownBlock } from "@slack/types";
import { type Change, occurrenceOf } from "../../changes/change.ts";
import { inverseOf } from "../../changes/undo.ts";
import { whenExclusionEnds } from "../../changes/when-exclusion-ends.ts";
import type { CommandButton, Description } from "../../commands/answer.ts";
import { commandOf } from "../../commands/catalogue.ts";
import { buttonRow } from "./button.ts";
import { clip } from "./clip.ts";
import { factFields } from "./facts.ts";
import { limits } from "./limits.ts";
import type { Message } from "./message.ts";
import { date, escapeMrkdwn, mention, mrkdwn } from "./mrkdwn.ts";

/**
 * The card of a settled change, for a channel: who, what, before → after, until when, why, and the change id. `later` are the
 * succeeded changes about the same thing since; an exclusion that was moved or ended, or whose end has passed by `now`, says so and
 * loses the buttons that no longer fit.
 */
export function changeCard(change: Change, later: readonly Change[], now: number): Message {
  const { actor, state } = change;
  const over = overLine(change, later, now);
  const description = describe(change);
  const sentence =
    state === "succeeded"
      ? `:white_check_mark: ${mention(actor.userId)} ${escapeMrkdwn(description.done)}`
      : `:grey_question: ${mention(actor.userId)} asked to ${escapeMrkdwn(description.asked)}. *The outcome is unknown:* it may have happened.`;
  const facts = factFields(description.facts.slice(0, limits.fieldsInSection), actor.timeZone);
  return {
    text: fallback(change, description),
    blocks: [
      { type: "section", text: mrkdwn(clip(sentence, limits.sectionText)) },
      ...(facts.length ? [{ type: "section", fields: facts } as const] : []),
      ...laterLines(change, later),
      ...over,
      { type: "context", elements: [mrkdwn(footer(change))] },
      ...(over.length ? [] : buttonRow([...exclusionButtons(change, later), ...undoButton(change, later)])),
    ],
  };
}

/** One line about a change, for the thread of an earlier card. */
export function threadLine(change: Change): Message {
  const description = describe(change);
  const facts = description.facts.slice(0, 1);
  const text = `${mention(change.actor.userId)} ${escapeMrkdwn(description.done)} · change \`${change.id}\``;
  return {
    text: fallback(change, description),
    blocks: [
      { type: "section", text: mrkdwn(clip(text, limits.sectionText)) },
      ...(facts.length ? [{ type: "section", fields: factFields(facts, change.actor.timeZone) } as const] : []),
    ],
  };
}

/** The change in its command's words; by its command's name where that no longer exists. */
export function describe(change: Change): Description {
  const command = commandOf(change.words);
  if (command?.kind === "change") return command.describe(occurrenceOf(change));
  return { done: `did “${change.words}”`, asked: change.words, facts: [] };
}

function fallback({ actor, state, id }: Change, { done, asked }: Description): string {
  const what = state === "succeeded" ? done : `asked to ${asked} (outcome unknown)`;
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
  const until = describe(last).facts.find((fact) => fact.label === "Until");
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
