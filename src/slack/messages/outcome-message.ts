import type { DecisionOutcome } from "../../changes/approvals/withdraw.ts";
import {
  type Change,
  endSetBy,
  isCreation,
  isOver,
  lackingApprovals,
  notAllowedNow,
  stateWords,
} from "../../changes/change.ts";
import { describeChange } from "../../changes/change-command.ts";
import type { ChangeOutcome } from "../../changes/changes.ts";
import { howToFindOut, unknownButtons } from "../../changes/outcomes/follow-up.ts";
import type { CheckOutcome } from "../../changes/outcomes/unknown-outcomes.ts";
import { isAbout, isPassing } from "../../changes/perform/perform.ts";
import { planTimes } from "../../changes/planned/plan-times.ts";
import { inputAgain, planAgainButtons } from "../../changes/planned/replace-plan.ts";
import type { QueryOutcome } from "../../changes/queries/queries.ts";
import { isTimedSeries } from "../../changes/steps/series.ts";
import { approvalsLacking } from "../../commands/about-changes/about-changes.ts";
import { type CommandButton, type Description, inWords, type Sentence } from "../../commands/answer.ts";
import { commandOf } from "../../commands/catalogue.ts";
import { exclusionEdit } from "../../commands/exclusion/exclusion-edit.ts";
import { anHourMore, exclusionExtend } from "../../commands/exclusion/exclusion-extend.ts";
import { planButtons } from "../../commands/exclusion/planned/plans.ts";
import { isProgram } from "../../permissions/actor.ts";
import { formatMoment } from "../../time/format-moment.ts";
import { whereListed } from "../fields/kinds/reference.ts";
import { answerMessage } from "./answer-message.ts";
import { buttonRow, inNameOfChannel } from "./button.ts";
import { type ExclusionState, exclusionState } from "./cards/card-context.ts";
import { retryButtons, stepBlocks, undoButtons } from "./cards/change-card.ts";
import {
  approvalButtons,
  approvedWords,
  askedOf,
  changeSentence,
  decisionLines,
  decisionMessage,
  errorSentence,
  namesChange,
  stateBelow,
  stateIcons,
  stateSentence,
  verifiedOnCard,
  withdrawButton,
} from "./cards/change-state.ts";
import { lastingWords, shownPlan } from "./cards/exclusion-card.ts";
import { aboveCardBlock, contextBlock, type Message, message, section } from "./message.ts";
import { noticeMessage, problemMessage, refusalMessage } from "./notices.ts";
import { channel, code, date, join, link, literal, type Mrkdwn, md, mention, sentence } from "./text.ts";

export type Outcome = ChangeOutcome | QueryOutcome | DecisionOutcome | CheckOutcome;

export interface OutcomeReader {
  readonly zone: string;
  readonly requesterId?: string | undefined;
  /** Leads to the change's card. */
  readonly cardLink?: string | undefined;
  /** What a change does, in a sentence. */
  readonly effect?: Sentence | undefined;
  readonly card?: CardPlace | undefined;
}

/** Where the card of a change is posted: below its answer, or in another channel, by its id. */
export type CardPlace = "here" | { readonly channelId: string };

/** The reply to the requester: what happened, whether anything changed, and what to do next. */
export function outcomeMessage(
  outcome: Outcome,
  { zone, requesterId, cardLink, effect, card }: OutcomeReader,
): Message {
  switch (outcome.kind) {
    case "answered":
      return answerMessage(outcome.answer, zone);
    case "refused":
      return refusalMessage(outcome.decision);
    case "invalid":
      return problemMessage(outcome.problem);
    case "repeated":
      return repeatedMessage(outcome.change, requesterId, zone);
    case "already-requested":
      return alreadyRequestedMessage(outcome.change, { zone, requesterId, cardLink });
    case "settled":
    case "asked":
    case "planned":
      return card === "here" && isSure(outcome.change.state)
        ? aboveCard(outcome.change, effect)
        : settledMessage(outcome.change, undefined, effect, card);
    case "decided":
    case "overtaken":
      return decisionMessage(outcome, requesterId, card === "here");
    case "known":
      return knownMessage(outcome, requesterId);
    case "still-unknown":
      return noticeMessage(
        stateIcons.unknown,
        `The outcome is still unknown: it may have happened. ${outcome.why}`,
        unknownButtons(outcome.change),
      );
    case "not-recorded":
      return noticeMessage(
        ":warning:",
        "Curfew could not save this change, so it did not make it. Nothing was changed. Try again in a moment. If it keeps happening, contact the people who run Curfew.",
      );
    case "outcome-not-recorded":
      return noticeMessage(
        ":warning:",
        `${sentenceInWords(settledSentence(outcome.change), outcome.change.actor.timeZone)} Curfew could not save the outcome, so “history” may show it as unknown. Contact the people who run Curfew. (change ${outcome.change.id})`,
      );
  }
}

/** For the requester, above the card that says all else. The text for notifications says what was done. */
function aboveCard(change: Change, effect: Sentence = []): Message {
  const said = join([...doneInShort(change), ...foreseenIn(effect, change)], " ");
  return {
    text: settledText(change),
    blocks: [
      { ...section(md`${stateIcons[change.state]} ${said}`), block_id: `${aboveCardBlock}${change.id}` },
      ...buttonRow(change.state === "succeeded" ? undoButtons(change) : withdrawButton(change)),
    ],
  };
}

/** What was altered in place is named: its card may be far up. */
function doneInShort(change: Change): readonly Mrkdwn[] {
  const { state, approval, undoes, words, actor } = change;
  if (state === "planned") return [md`Planned.`];
  if (state === "awaiting-approval") {
    const lacking = lackingApprovals(change);
    const waits = `This waits for ${lacking === 1 ? "approval" : approvalsLacking(lacking)}.`;
    return [waits, ...(approval?.because ?? [])].map((each) => literal(each, 500));
  }
  if (undoes !== null) return [sentence(settledSentence(change), actor.timeZone)];
  const end = words === exclusionExtend.words ? endSetBy(change) : undefined;
  const done = end === undefined ? md`Done.` : md`Now until ${date(end, actor.timeZone)}.`;
  return [done, ...cautionsOf(change, describeChange(change)).map((each) => literal(each, 500))];
}

const foreseenIn = (effect: Sentence, { actor }: Change): readonly Mrkdwn[] =>
  effect.length > 0 ? [sentence(effect, actor.timeZone)] : [];

const settledText = (change: Change): Mrkdwn =>
  literal(`${sentenceInWords(settledSentence(change), change.actor.timeZone)} (change ${change.id})`, 1000);

/** For the requester: how a change ended, or what it waits for, and the next step. `effect`: what it does, in a sentence. */
export function settledMessage(change: Change, note?: string, effect: Sentence = [], card?: CardPlace): Message {
  const { state, id } = change;
  const settled = settledSentence(change);
  const shown = sentence(settled, change.actor.timeZone);
  const place = typeof card === "object" && state === "succeeded" ? [md`See ${channel(card.channelId)}.`] : [];
  const said = join(
    state === "awaiting-approval"
      ? [waitingFor(change)]
      : [shown, ...whereAsked(change), ...foreseenIn(effect, change), ...place],
    " ",
  );
  const grey = [
    ...(state === "succeeded" ? approvedWords(change) : decisionLines(change)),
    ...(note ? [literal(note, 1000)] : []),
    ...verifiedOnCard(change),
    ...(namesChange(state) && state !== "awaiting-approval" ? [md`Change ${code(id)}`] : []),
  ];
  return {
    text: settledText(change),
    blocks: [
      section(md`${stateIcons[state]} ${said}`),
      ...(isTimedSeries(change) ? [] : stepBlocks(describeChange(change))),
      ...grey.map(contextBlock),
      ...buttonRow(inNameOfChannel(change, nextButtons(change))),
    ],
  };
}

/** The same, when its buttons no longer work. */
export function overtakenOutcome(change: Change, undone: Change | undefined): Message {
  const { text, blocks } = settledMessage(change);
  const by = undone ? [contextBlock(md`undone by ${mention(undone.actor.userId)}`)] : [];
  return { text, blocks: [...blocks.filter(({ type }) => type !== "actions"), ...by] };
}

/** For the requester of changes during which Curfew was stopped: each with what finds out whether it was made. */
export function interruptedMessage(changes: readonly Change[]): Message {
  const [only, ...others] = changes;
  if (only && others.length === 0) return settledMessage(only);
  const all = `Curfew does not know whether it made these ${changes.length} changes. It was stopped at that moment.`;
  const shown = changes.flatMap((change) => {
    const what = [`${describeChange(change).asked}.`, ...howToFindOut(change)].join(" ");
    const buttons = unknownButtons(change).map((button) => ({ ...button, version: change.id }));
    return [section(md`• ${literal(what, 400)} ${code(change.id)}`), ...buttonRow(inNameOfChannel(change, buttons))];
  });
  const text = `${all} (changes ${changes.map(({ id }) => id).join(", ")})`;
  return message(text, [section(md`${stateIcons.unknown} ${literal(all)}`), ...shown]);
}

/** For the person who had an outcome checked, or reported it. */
function knownMessage(
  { change, isNew }: Extract<CheckOutcome, { kind: "known" }>,
  readerId: string | undefined,
): Message {
  if (isNew && change.actor.userId === readerId) return settledMessage(change);
  const before = isNew ? "" : "This was settled before. ";
  return noticeMessage(stateIcons[change.state], `${before}${changeSentence(change, readerId)} (change ${change.id})`);
}

/** What comes of it is sure, or waits for somebody. */
const isSure = (state: Change["state"]): boolean =>
  state === "succeeded" || state === "awaiting-approval" || state === "planned";

/** "Waiting for the approval of admin in #ops, until today 5 PM: disable dave." */
function waitingFor(change: Change): Mrkdwn {
  const { approval, actor } = change;
  const asked = sentence([describeChange(change).asked, ...lastingWords(change), "."], actor.timeZone);
  if (!approval) return asked;
  const until = date(approval.expiresAt, actor.timeZone);
  const because = (approval.because ?? []).map((each) => md` ${literal(each, 300)}`);
  return md`Waiting for the approval of ${askedOf(approval, change)} in ${channel(approval.channelId)}, until ${until}: ${asked}${join(because, "")}`;
}

function whereAsked(change: Change): readonly Mrkdwn[] {
  const { state, approval, actor } = change;
  if (!approval || isOver(state) || state === "planned") return [];
  return [
    ...(approval.because ?? []).map((because) => literal(because, 300)),
    md`Asked ${askedOf(approval, change)} in ${channel(approval.channelId)}, until ${date(approval.expiresAt, actor.timeZone)}.`,
  ];
}

function nextButtons(change: Change): readonly CommandButton[] {
  const { state, words } = change;
  const input = inputAgain(change);
  if (isNotAllowedNow(change)) return [];
  if (state === "failed") return [...tryAgain(change), { label: "Change and try again…", words, opens: "form", input }];
  const plan = shownPlan(change);
  if (plan) return planButtons(plan);
  if (!isOver(state)) return withdrawButton(change);
  if (state === "unknown") return unknownButtons(change);
  const again = change.approval ? [] : planAgainButtons(change);
  return [...approvalButtons(change), ...retryButtons(change), ...undoButtons(change), ...again];
}

/** The same again, where it did not reach the service. */
function tryAgain(change: Change): readonly CommandButton[] {
  const { error, words, undoes } = change;
  if (error === null || !isPassing(error.code)) return [];
  const again = undoes === null ? { words, input: inputAgain(change) } : { words: "undo", input: { change: undoes } };
  return [{ label: "Try again", opens: "result", ...again }];
}

/** The state of the exclusion right after the change. */
function exclusionStateAfter(change: Change): ExclusionState | undefined {
  return exclusionState(change, [], change.settledAt ?? change.requestedAt);
}

const isOff = (state: ExclusionState | undefined): boolean => state?.kind === "off" || state?.kind === "off-and-over";

/** A sentence where Slack shows no moments. */
export const sentenceInWords = (parts: Sentence, zone: string): string =>
  inWords(parts, (at) => formatMoment(wholeMinute(at), zone));

const wholeMinute = (at: number): number => Math.floor(at / 60_000) * 60_000;

function settledSentence(change: Change): Sentence {
  const description = describeChange(change);
  const { asked } = description;
  const why = isNotAllowedNow(change) ? notAllowed : errorSentence(change.error);
  switch (change.state) {
    case "succeeded":
      return doneSentence(change, description);
    case "failed":
      return [
        `Curfew could not ${asked}: nothing was changed.${why}${isNotFound(change) ? whereListed(change.subjectKind) : ""}`,
      ];
    case "unknown":
      return [
        `Curfew does not know whether it managed to ${asked}: it may have happened.${why} ${howToFindOut(change).join(" ")}`.trimEnd(),
      ];
    case "performing":
      return [`Curfew is about to ${asked}.`];
    case "planned":
      return [`You plan to ${asked}`, ...plannedWords(change), "."];
    default:
      return [
        `You ${isOver(change.state) ? "wanted" : "want"} to ${asked}`,
        ...lastingWords(change),
        `. ${stateBelow(change)}`,
      ];
  }
}

function doneSentence(change: Change, description: Description): Sentence {
  const { done, now } = description;
  const start = `${change.undoes === null ? "" : "Undone. "}${now ?? `You ${done}`}`;
  return [start, ...endWords(change), [".", ...cautionsOf(change, description)].join(" ")];
}

/** What the requester must know of a change that was made. */
function cautionsOf(change: Change, { warning }: Description): readonly string[] {
  const off = isOff(exclusionStateAfter(change)) ? "It is switched off: it has no effect." : undefined;
  return [off, warning, change.note].flatMap((each) => each || []);
}

/** The end that it gave an exclusion, which its requester may have said in other words. */
export function endWords(change: Change): Sentence {
  const endsAt = endSetBy(change);
  if (endsAt === undefined) return [];
  return [change.words === exclusionEdit.words ? ", until " : " until ", { at: endsAt }];
}

/** From when until when; a series says that by itself. */
function plannedWords(change: Change): Sentence {
  const times = planTimes(change);
  return times ? [" from ", { at: times.startsAt }, " until ", { at: times.endsAt }] : [];
}

const isNotAllowedNow = ({ error }: Change): boolean => error?.code === notAllowedNow;
const notAllowed = ` You may no longer do this: “whoami” shows what you may do. (${notAllowedNow})`;

const isNotFound = (change: Change): boolean => change.error !== null && isAbout(change, change.error.code);

function repeatedMessage(change: Change, requesterId: string | undefined, zone: string): Message {
  if (change.state === "performing") {
    return noticeMessage(
      stateIcons.performing,
      `This is already in progress (change ${change.id}). “history ${change.id}” shows how it ends.`,
    );
  }
  if (requesterId !== undefined && requesterId !== change.actor.userId) {
    const { done, asked } = describeChange(change);
    const { name } = change.actor;
    const sentence =
      change.state === "succeeded"
        ? `${name} already ${done}${sentenceInWords(endWords(change), zone)}`
        : `${name} already asked for this: ${asked}. It is ${stateWords[change.state]}`;
    return noticeMessage(":information_source:", `${sentence} (change ${change.id}).`, anHourAfter(change));
  }
  const { blocks, text } = settledMessage(change);
  const once = change.approval ? "asked for" : "tried";
  const notice = md`This was sent twice, and ${change.state === "succeeded" ? "done" : once} once.`;
  return { text: md`${notice} ${text}`, blocks: [contextBlock(notice), ...blocks] };
}

/** For the second person who pressed *Extend 1 h*: whether they meant another one. */
function anHourAfter(change: Change): readonly CommandButton[] {
  const endsAt = change.state === "succeeded" ? endSetBy(change) : undefined;
  if (change.words !== exclusionExtend.words || change.subjectId === null || endsAt === undefined) return [];
  return [{ ...anHourMore(change.subjectId, endsAt), label: "Extend 1 h more" }];
}

/** For a request that was already made: who made it, and its state. */
function alreadyRequestedMessage(change: Change, { zone, requesterId, cardLink }: OutcomeReader): Message {
  const { id, state, undoes, actor } = change;
  const isOwn = actor.userId === requesterId;
  const until = isCreation(change) ? sentenceInWords(endWords(change), zone) : "";
  const asked = undoes === null ? `${describeChange(change).asked}${until}` : `undo change ${undoes}`;
  const what = undoes !== null && state === "succeeded" ? `undid change ${undoes}` : `asked for this: ${asked}`;
  const sentence = `${isOwn ? "You" : actor.name} already ${what}. ${stateSentence(change)}`.trimEnd();
  const another = anotherButton(change);
  const byHand = another.length > 0 && isProgram(requesterId ?? "") ? ["To make another one, add “--another”."] : [];
  const text = [sentence, ...howToFindOut(change), "It was not requested or done again.", ...byHand].join(" ");
  const card = cardLink === undefined ? [] : [link(cardLink, "See the card")];
  return message(`${text} (change ${id})`, [
    section(md`:information_source: ${literal(text)}`),
    contextBlock(join([md`Change ${code(id)}`, ...whereAsked(change), ...card], " · ")),
    ...buttonRow([
      ...(isOwn && state === "awaiting-approval" ? withdrawButton(change) : []),
      ...(isOwn ? unknownButtons(change) : []),
      ...another,
    ]),
  ]);
}

/** Where a repeat is not taken for a new request unless it says so. */
const anotherButton = (change: Change): readonly CommandButton[] =>
  isCreation(change) && commandOf(change.words)?.fields.another
    ? [{ label: "Make another", words: change.words, opens: "result", input: { ...inputAgain(change), another: true } }]
    : [];
