import type { DecisionOutcome } from "../../changes/approvals/decide-approval.ts";
import type { Denied } from "../../changes/authorize/decide-change.ts";
import { approverRolesOf, type Change, isOver, notAllowedNow, stateWords } from "../../changes/change.ts";
import { describeChange } from "../../changes/change-command.ts";
import type { ChangeOutcome } from "../../changes/changes.ts";
import type { QueryOutcome } from "../../changes/queries/queries.ts";
import type { CommandButton, Problem } from "../../commands/answer.ts";
import { whereListed } from "../fields/reference-choice.ts";
import { answerMessage } from "./answer-message.ts";
import { approvalButtons, decisionLines, shownFacts, withdrawButton } from "./approval-blocks.ts";
import { buttonRow } from "./button.ts";
import { undoButtons } from "./change-card.ts";
import { decisionMessage, errorSentence, stateIcons, stateSentence } from "./change-state.ts";
import { type ExclusionState, exclusionState, presentFacts } from "./exclusion-state.ts";
import { factFields, holderMentions } from "./facts.ts";
import { clip, contextBlock, date, escapeMrkdwn, escapeWithin, limits, type Message, mrkdwn } from "./message.ts";

export type Outcome = ChangeOutcome | QueryOutcome | DecisionOutcome;

/**
 * The reply to the requester: what happened, whether anything changed, what to do next, and the change id. `zone` is the requester's;
 * `cardLink` leads to the change's card.
 */
export function outcomeMessage(outcome: Outcome, zone: string, requesterId?: string, cardLink?: string): Message {
  switch (outcome.kind) {
    case "answered":
      return answerMessage(outcome.answer, zone);
    case "refused":
      return refusalMessage(outcome.decision);
    case "invalid":
      return problemMessage(outcome.problem);
    case "repeated":
      return repeatedMessage(outcome.change, requesterId);
    case "already-requested":
      return alreadyRequestedMessage(outcome.change, requesterId, cardLink);
    case "settled":
    case "asked":
      return settledMessage(outcome.change);
    case "decided":
    case "overtaken":
      return decisionMessage(outcome, requesterId);
    case "not-recorded":
      return noticeMessage(
        ":warning:",
        "Curfew could not save this change, so it did not make it. Nothing was changed. Try again in a moment. If it keeps happening, contact the people who run Curfew.",
      );
    case "outcome-not-recorded":
      return noticeMessage(
        ":warning:",
        `${settledSentence(outcome.change)} Curfew could not save the outcome, so \`history\` may show it as unknown. Contact the people who run Curfew. (change ${outcome.change.id})`,
      );
  }
}

/** A refusal, with the people who could do it. Mentions in a message that only one person sees notify nobody. */
export function refusalMessage({ reason, couldDo }: Denied, purpose: "read" | "change" = "change"): Message {
  const ask = couldDo.length ? ` Who could: ${holderMentions(couldDo, "; ")}.` : "";
  const unchanged = purpose === "change" ? " Nothing was changed." : "";
  return {
    text: escapeMrkdwn(`${reason}${unchanged}`),
    blocks: [
      {
        type: "section",
        text: mrkdwn(`:no_entry: ${escapeWithin(reason, 1500)}${unchanged}${ask}`),
      },
    ],
  };
}

/** Why nothing was done, with buttons for the next step. */
export function problemMessage({ problem, buttons = [] }: Problem): Message {
  return noticeMessage(":warning:", problem, buttons);
}

export function noticeMessage(icon: string, text: string, buttons: readonly CommandButton[] = []): Message {
  return {
    text: escapeMrkdwn(clip(text, 1000)),
    blocks: [
      { type: "section", text: mrkdwn(clip(`${icon} ${escapeMrkdwn(text)}`, limits.sectionText)) },
      ...buttonRow(buttons),
    ],
  };
}

/** For the requester: how a change ended, or what it waits for. */
export function settledMessage(change: Change, note?: string): Message {
  const { state, actor, id } = change;
  const sentence = settledSentence(change);
  const hasFacts = state === "succeeded" || (change.approval !== null && !isOver(state));
  const all = hasFacts ? presentFacts(describeChange(change).facts, exclusionStateAfter(change)) : [];
  const facts = all.slice(0, shownFacts(change));
  return {
    text: escapeMrkdwn(clip(`${sentence} (change ${id})`, 1000)),
    blocks: [
      { type: "section", text: mrkdwn(clip(`${stateIcons[state]} ${escapeMrkdwn(sentence)}`, limits.sectionText)) },
      ...(facts.length ? [{ type: "section", fields: factFields(facts, actor.timeZone) } as const] : []),
      ...decisionLines(change).map(contextBlock),
      contextBlock(
        [
          `Change \`${id}\``,
          ...undoneChange(change),
          ...whereAsked(change),
          ...(note ? [escapeWithin(note, 1000)] : []),
        ].join(" · "),
      ),
      ...buttonRow(nextButtons(change)),
    ],
  };
}

function undoneChange({ undoes, state }: Change): readonly string[] {
  if (undoes === null || (isOver(state) && state !== "succeeded")) return [];
  return [`${state === "succeeded" ? "Undid" : "Undoes"} change \`${undoes}\``];
}

function whereAsked({ state, approval, actor }: Change): readonly string[] {
  if (!approval || isOver(state)) return [];
  const roles = escapeWithin(approverRolesOf(approval).join(" or "), 500);
  return [
    `Asked for approval by ${roles} in <#${approval.channelId}>, until ${date(approval.expiresAt, actor.timeZone)}`,
  ];
}

function nextButtons(change: Change): readonly CommandButton[] {
  const { state, words, input } = change;
  if (isNotAllowedNow(change)) return [];
  if (state === "failed") return [{ label: "Change and try again", words, opens: "form", input }];
  return state === "awaiting-approval" ? withdrawButton(change) : [...approvalButtons(change), ...undoButtons(change)];
}

/** For those who run Curfew: what to fix, and which change it is about. */
export function reportMessage({ actor, id, words }: Change, note: string): Message {
  return noticeMessage(":wrench:", `Change ${id} (${words}, by ${actor.name}): ${note}`);
}

/** The state of the exclusion right after the change. */
function exclusionStateAfter(change: Change): ExclusionState | undefined {
  return exclusionState(change, [], change.settledAt ?? change.requestedAt);
}

const isOff = (state: ExclusionState | undefined): boolean => state?.kind === "off" || state?.kind === "off-and-over";

function settledSentence(change: Change): string {
  const { done, asked } = describeChange(change);
  const why = isNotAllowedNow(change) ? notAllowed : errorSentence(change.error);
  switch (change.state) {
    case "succeeded":
      return `You ${done}.${isOff(exclusionStateAfter(change)) ? " It is switched off: it has no effect." : ""}${change.note ? ` ${change.note}` : ""}`;
    case "failed":
      return `Curfew could not ${asked}: nothing was changed.${why}${isNotFound(change) ? whereListed(change.subjectKind) : ""}`;
    case "unknown":
      return `Curfew does not know whether it managed to ${asked}: it may have happened.${why} Check the service before you ask again.`;
    case "performing":
      return `Curfew is about to ${asked}.`;
    default:
      return `You asked to ${asked}. ${stateSentence(change)}`;
  }
}

const isNotAllowedNow = ({ error }: Change): boolean => error?.code === notAllowedNow;
const notAllowed = ` You may no longer do this: \`whoami\` shows what you may do. (${notAllowedNow})`;

const isNotFound = ({ error }: Change): boolean => error?.code.endsWith("NotFound") ?? false;

function repeatedMessage(change: Change, requesterId: string | undefined): Message {
  if (change.state === "performing") {
    return noticeMessage(
      stateIcons.performing,
      `This is already in progress (change ${change.id}). \`history ${change.id}\` shows how it ends.`,
    );
  }
  if (requesterId !== undefined && requesterId !== change.actor.userId) {
    const { done, asked } = describeChange(change);
    const { name } = change.actor;
    const sentence =
      change.state === "succeeded"
        ? `${name} already ${done}`
        : `${name} already asked to ${asked}. It is ${stateWords[change.state]}`;
    return noticeMessage(":information_source:", `${sentence} (change ${change.id}).`);
  }
  const { blocks, text } = settledMessage(change);
  const once = change.approval ? "asked for" : "tried";
  const notice = `This was sent twice, and ${change.state === "succeeded" ? "done" : once} once.`;
  return { text: `${notice} ${text}`, blocks: [{ type: "context", elements: [mrkdwn(notice)] }, ...blocks] };
}

/** For a request that was already made: who made it, and its state. */
function alreadyRequestedMessage(
  change: Change,
  requesterId: string | undefined,
  cardLink: string | undefined,
): Message {
  const { id, state, undoes, actor } = change;
  const isOwn = actor.userId === requesterId;
  const asked = undoes === null ? describeChange(change).asked : `undo change ${undoes}`;
  const what = undoes !== null && state === "succeeded" ? `undid change ${undoes}` : `asked to ${asked}`;
  const sentence = `${isOwn ? "You" : actor.name} already ${what}. ${stateSentence(change)}`.trimEnd();
  const text = `${sentence} It was not requested or done again.`;
  const card = cardLink === undefined ? [] : [`<${cardLink}|See the card>`];
  return {
    text: escapeMrkdwn(clip(`${text} (change ${id})`, 1000)),
    blocks: [
      { type: "section", text: mrkdwn(clip(`:information_source: ${escapeMrkdwn(text)}`, limits.sectionText)) },
      contextBlock([`Change \`${id}\``, ...whereAsked(change), ...card].join(" · ")),
      ...buttonRow(isOwn && state === "awaiting-approval" ? withdrawButton(change) : []),
    ],
  };
}
