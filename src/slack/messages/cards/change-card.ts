import type { ContextBlock, KnownBlock } from "@slack/types";
import { type Change, isCreation, isOver, isRemoval, stateWords } from "../../../changes/change.ts";
import { describeChange } from "../../../changes/change-command.ts";
import type { SummedUp } from "../../../changes/outbox-message.ts";
import { howToFindOut, unknownButtons } from "../../../changes/outcomes/follow-up.ts";
import { planAgainButtons } from "../../../changes/planned/replace-plan.ts";
import { isTimedSeries } from "../../../changes/steps/series.ts";
import { hasWayBack, notUndone } from "../../../changes/undo.ts";
import type { CommandButton, Description, Fact } from "../../../commands/answer.ts";
import { formatDuration } from "../../../time/duration.ts";
import { buttonRow, cardButtons } from "../button.ts";
import { concernBlocks, factLine, signs } from "../facts.ts";
import { contextBlock, greyLine, type Message, message, section } from "../message.ts";
import { bold, clip, date, join, limits, literal, type Mrkdwn, md, mention, partText } from "../text.ts";
import { bodyAfter, type CardContext } from "./card-context.ts";
import {
  approvalButtons,
  approvalMenu,
  approvedWords,
  beyondWords,
  cardIcons,
  decisionLines,
  effectLines,
  namesChange,
  needsWords,
  stateBelow,
  stateSentence,
  verifiedOnCard,
} from "./change-state.ts";
import {
  exclusionBlocks,
  exclusionThreadText,
  lastingWords,
  planBlocks,
  shownPlan,
  subject,
  ticketLink,
  toKeep,
} from "./exclusion-card.ts";

/**
 * The card of a change, for a channel: a sentence with who did what, one grey line, and the next steps. An exclusion has one card from
 * making to end; an approval's card becomes that of its change.
 */
export function changeCard(change: Change, context: CardContext): Message {
  const description = describeChange(change);
  const plan = shownPlan(change);
  const blocks = () =>
    isExclusionCard(change) ? exclusionBlocks(change, context) : changeBlocks(change, description, context);
  return { text: fallback(change, description), blocks: plan ? planBlocks(change, plan, context) : blocks() };
}

/** The card of an approval stays one, unless the exclusion began with it: else there would be two for one exclusion. */
function isExclusionCard(change: Change): boolean {
  const { subjectKind, state, approval } = change;
  const isOne = subjectKind === "exclusion" && !isTimedSeries(change);
  return isOne && state === "succeeded" && (approval === null || isCreation(change));
}

function changeBlocks(change: Change, description: Description, context: CardContext): KnownBlock[] {
  const { id, actor } = change;
  const { later, concerns = [] } = context;
  const buttons = [
    ...approvalButtons(change),
    ...unknownButtons(change),
    ...(isUndone(change, later) ? [] : retryButtons(change)),
    ...(notUndone(later).length > 0 ? [] : undoButtons(change)),
    // What was approved is asked for again.
    ...(change.approval ? [] : planAgainButtons(change, context.now)),
  ];
  return [
    section(headline(change, description, context)),
    ...concernBlocks(concerns, actor.timeZone),
    ...effectLines(change),
    ...stepBlocks(description),
    ...(change.state === "succeeded" ? [] : decisionLines(change).map(contextBlock)),
    ...greyBlocks(change, description, context),
    ...cardButtons(id, buttons, approvalMenu(change)),
  ];
}

/** One line about a change, for the thread of a card. `isShared`: the thread has other cards too, so the line names its subject. */
export function threadLine(change: Change, isShared = false): Message {
  const description = describeChange(change);
  const isOfItsCard = change.subjectKind === "exclusion" && change.state === "succeeded" && !isFirstOf(change);
  const text = isOfItsCard && !isShared ? exclusionThreadText(change) : headline(change, description);
  return {
    text: fallback(change, description),
    blocks: [section(text), ...buttonRow(unknownButtons(change))],
  };
}

/** Whether nothing is known of its exclusion before. */
const isFirstOf = (change: Change): boolean => change.before === null && !isRemoval(change);

/** What was done, or what is wanted and came of that. A new exclusion is named as on its card, where that is known. */
function headline(change: Change, { done, asked }: Description, context?: CardContext): Mrkdwn {
  const { actor, state } = change;
  const who = md`${cardIcons[state]} ${mention(actor.userId)}`;
  if (state === "succeeded") return md`${who} ${literal(done, headlineText)}`;
  const came = state === "awaiting-approval" ? "" : `. ${context ? stateBelow(change) : stateSentence(change)}`;
  const wish = isOver(state) ? "wanted to" : "wants to";
  const zone = actor.timeZone;
  const lasting = lastingWords(change).map((part) =>
    typeof part === "object" && "at" in part ? md`*${date(part.at, zone)}*` : partText(part, zone),
  );
  const body = bodyAfter([change]);
  const isNew = context && isCreation(change) && lasting.length > 0;
  const what = isNew ? toKeep(body, subject(body, context)) : literal(asked, headlineText);
  return md`${who} ${wish} ${what}${join(lasting, "")}${literal(came, headlineText)}`;
}

const headlineText = 700;

function fallback({ actor, state, id }: Change, { done, asked }: Description): Mrkdwn {
  const what = state === "succeeded" ? done : `wanted to ${asked} (${stateWords[state]})`;
  return literal(clip(`${actor.name} ${what} · change ${id}`, 1000));
}

const shownFacts = 600;
const shownReason = 300;

/** Why, what it altered, what followed, and the change's id while something of it is open. */
function greyBlocks(
  change: Change,
  { facts, saysAll = false, warning }: Description,
  { later, ticketUrl, askedIn = [] }: CardContext,
): readonly ContextBlock[] {
  const { reason, note, id, actor } = change;
  // The headline says the rest, and Details all of it. Who looks whether it happened needs all; of an exclusion, its name.
  const isSaid = (label: string) => label === "Until" && lastingWords(change).length > 0;
  const isAltered = ({ label, before }: Fact) => before !== undefined && !isSaid(label) && !saysAll;
  const isLookedFor = change.state === "unknown" && change.subjectKind !== "exclusion";
  const shown = isLookedFor ? facts.filter(({ label }) => !isSaid(label)) : facts.filter(isAltered);
  const undone = later.find(({ undoes }) => undoes === id);
  const parts = [
    ...(reason ? [literal(reason, shownReason)] : []),
    ...ticketLink(change, ticketUrl),
    factLine(shown, actor.timeZone, shownFacts),
    ...beyondWords(change),
    ...needsWords(change),
    ...approvedWords(change),
    ...askedIn,
    ...(warning && isDoneOrWaiting(change) ? [literal(warning)] : []),
    ...howToFindOut(change).map((hint) => literal(hint)),
    ...verifiedOnCard(change),
    ...(undone ? [md`undone by ${mention(undone.actor.userId)}`] : []),
    ...(note && change.state !== "withdrawn" ? [literal(note, shownReason)] : []),
  ];
  return greyLine(parts, namesChange(change.state) ? id : undefined);
}

const isUndone = ({ id }: Change, later: readonly Change[]): boolean => later.some(({ undoes }) => undoes === id);
const isDoneOrWaiting = ({ state }: Change): boolean => !isOver(state) || state === "succeeded" || state === "unknown";

/** The Try again button of a series that is partly done. */
export function retryButtons({ id, state, words }: Change): readonly CommandButton[] {
  // What had its own time is over.
  return state === "partly" && !isTimedSeries({ words })
    ? [{ label: "Try again", words: "retry", opens: "result", input: { change: id } }]
    : [];
}

const shownSteps = 1900;

/** The steps of a series, one a line. */
export function stepBlocks({ steps = [] }: Description): readonly ContextBlock[] {
  const lines = steps.map(({ sign, text }) => md`${signs[sign]}${literal(text, shownReason)}`);
  return lines.length === 0 ? [] : [contextBlock(fitting(lines, shownSteps))];
}

/** As many lines as fit whole; the rest are counted. */
function fitting(lines: readonly Mrkdwn[], room: number): Mrkdwn {
  const shown = lines.filter((_line, index) => lines.slice(0, index + 1).join("\n").length <= room);
  const rest = lines.length - shown.length;
  return join([...shown, ...(rest > 0 ? [md`… and ${rest} more. History shows them.`] : [])], "\n");
}

/** The Undo button, if the command of the change can be undone. */
export function undoButtons(change: Change): readonly CommandButton[] {
  return hasWayBack(change) ? [{ label: "Undo", words: "undo", opens: "result", input: { change: change.id } }] : [];
}

/** How many people, states and commands a summary names each; the rest are counted together. */
const maxNamed = 20;

/** One card for a burst of changes: how many, by whom, how they ended and which commands. Their own cards are in its thread. */
export function summaryCard(changes: readonly SummedUp[]): Message {
  const names = new Map(changes.map(({ actorId, actorName }) => [actorId, actorName]));
  const actors = changes.map(({ actorId }) => actorId);
  const people = counted(actors, (count, id) => md`${count} ${id === undefined ? md`more` : md`by ${mention(id)}`}`);
  const named = counted(actors, (count, id = "") => (id ? `${count} by ${names.get(id) ?? id}` : `${count} more`));
  const ended = counted(
    changes.map(({ state }) => state),
    (count, state = "more") => `${count} ${state}`,
  ).join(", ");
  const done = counted(
    changes.map(({ words }) => words),
    (count, words) => (words === undefined ? `${count} more` : `${count} × ${words}`),
  );
  const headline = `${changes.length} changes within ${spanOf(changes)}`;
  return message(`${headline}: ${named.join(", ")}; ${ended}`, [
    section(md`:card_index_dividers: ${bold(`${headline}:`)} ${join(people, ", ")}; ${literal(ended, 500)}`),
    section(literal(done.join(", "), limits.fieldText)),
    contextBlock(md`Each change has its own card in this thread.`),
  ]);
}

/** How often each key occurs, most frequent first; those that are not named have no key. */
function counted<T>(keys: readonly string[], format: (count: number, key?: string) => T): readonly T[] {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  const sorted = [...counts].sort(([, one], [, other]) => other - one);
  const rest = sorted.slice(maxNamed).reduce((sum, [, count]) => sum + count, 0);
  const named = sorted.slice(0, maxNamed).map(([key, count]) => format(count, key));
  return rest > 0 ? [...named, format(rest)] : named;
}

function spanOf(changes: readonly SummedUp[]): string {
  const times = changes.map(({ queuedAt }) => queuedAt);
  return formatDuration(Math.max(1000, Math.max(...times) - Math.min(...times)));
}
