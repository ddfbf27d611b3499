import type { DecisionOutcome } from "../../changes/approvals/approvals.ts";
import { approverRolesOf, type Change, isOver, notAllowedNow, stateWords } from "../../changes/change.ts";
import { describeChange } from "../../changes/change-command.ts";
import type { ChangeOutcome } from "../../changes/changes.ts";
import type { Denied } from "../../changes/decide-change.ts";
import type { QueryOutcome } from "../../changes/queries/queries.ts";
import type { CommandButton, Problem } from "../../commands/answer.ts";
import { whereListed } from "../fields/reference.ts";
import { answerMessage } from "./answer-message.ts";
import { approvalButtons, decisionLines, shownFacts, withdrawButton } from "./approval-blocks.ts";
import { buttonRow } from "./button.ts";
import { undoButtons } from "./change-card.ts";
import { errorSentence, stateIcons, stateSentence } from "./change-state.ts";
import { decisionMessage } from "./decision-message.ts";
import { type ExclusionState, exclusionState, presentFacts } from "./exclusion-state.ts";
import { factFields, holderMentions } from "./facts.ts";
import { clip, contextBlock, date, escapeMrkdwn, escapeWithin, limits, type Message, mrkdwn } from "./message.ts";

export type Outcome = ChangeOutcome | QueryOutcome | DecisionOutcome;

/** What the requester is told: what happened, whether anything changed, what to do next, and the change id. `zone` is theirs; `cardLink`: where the change stands in a channel. */
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
      return alreadyAskedMessage(outcome.change, requesterId, cardLink);
    case "settled":
    case "asked":
      return settledMessage(outcome.change);
    case "decided":
    case "overtaken":
      return decisionMessage(outcome, requesterId);
    case "not-recorded":
      return noticeMessage(
        ":warning:",
        "Curfew could not write down this change, so it did not make it. Nothing was changed. Try again in a moment; if it goes on, tell those who run Curfew.",
      );
    case "outcome-not-recorded":
      return noticeMessage(
        ":warning:",
        `${settledSentence(outcome.change)} Curfew could not write this down, so \`history\` may show it as unknown. Tell those who run Curfew. (change ${outcome.change.id})`,
      );
  }
}

/** A refusal, with who could do it instead. Mentions in a message that only one person sees notify nobody. */
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

/** Why nothing was done, with buttons that lead on. */
export function problemMessage({ problem }: Problem, buttons: readonly CommandButton[] = []): Message {
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

/** How a change ended, or what it waits for, for its requester. */
export function settledMessage(change: Change, note?: string): Message {
  const { state, actor, id } = change;
  const sentence = settledSentence(change);
  const hasFacts = state === "succeeded" || (change.approval !== null && !isOver(state));
  const all = hasFacts ? presentFacts(describeChange(change).facts, standingAfter(change)) : [];
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
          ...takenBack(change),
          ...whereAsked(change),
          ...(note ? [escapeWithin(note, 1000)] : []),
        ].join(" · "),
      ),
      ...buttonRow(nextButtons(change)),
    ],
  };
}

function takenBack({ undoes, state }: Change): readonly string[] {
  if (undoes === null || (isOver(state) && state !== "succeeded")) return [];
  return [`${state === "succeeded" ? "Took" : "Takes"} back change \`${undoes}\``];
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

/** For those who run Curfew: what they must mend, and which change it is about. */
export function reportMessage({ actor, id, words }: Change, note: string): Message {
  return noticeMessage(":wrench:", `Change ${id} (${words}, by ${actor.name}): ${note}`);
}

/** Of the exclusion that a change is about, as the change left it. */
function standingAfter(change: Change): ExclusionState | undefined {
  return exclusionState(change, [], change.settledAt ?? change.requestedAt);
}

const isOff = (membership: ExclusionState | undefined): boolean =>
  membership?.kind === "off" || membership?.kind === "off-and-over";

function settledSentence(change: Change): string {
  const { done, asked } = describeChange(change);
  const said = isNotAllowedNow(change) ? notAllowed : errorSentence(change.error);
  switch (change.state) {
    case "succeeded":
      return `You ${done}.${isOff(standingAfter(change)) ? " It is switched off: it holds nothing back." : ""}${change.note ? ` ${change.note}` : ""}`;
    case "failed":
      return `Curfew could not ${asked}: nothing was changed.${said}${isNotThere(change) ? whereListed(change.subjectKind) : ""}`;
    case "unknown":
      return `It is not known whether Curfew did ${asked}: it may have happened.${said} Look in the service before asking again.`;
    case "performing":
      return `Curfew is about to ${asked}.`;
    default:
      return `You asked to ${asked}. ${stateSentence(change)}`;
  }
}

const isNotAllowedNow = ({ error }: Change): boolean => error?.code === notAllowedNow;
const notAllowed = ` You may not do this any more: \`whoami\` shows what you may do. (${notAllowedNow})`;

const isNotThere = ({ error }: Change): boolean => error?.code.endsWith("NotFound") ?? false;

function repeatedMessage(change: Change, requesterId: string | undefined): Message {
  if (change.state === "performing") {
    return noticeMessage(
      stateIcons.performing,
      `This is under way already (change ${change.id}); \`history ${change.id}\` tells how it ends.`,
    );
  }
  if (requesterId !== undefined && requesterId !== change.actor.userId) {
    const { done, asked } = describeChange(change);
    const { name } = change.actor;
    const what =
      change.state === "succeeded"
        ? `${name} has ${done} already`
        : `${name} has asked to ${asked} already. It is ${stateWords[change.state]}`;
    return noticeMessage(":information_source:", `${what} (change ${change.id}).`);
  }
  const { blocks, text } = settledMessage(change);
  const once = change.approval ? "asked for" : "tried";
  const notice = `This was sent twice, and ${change.state === "succeeded" ? "done" : once} once.`;
  return { text: `${notice} ${text}`, blocks: [{ type: "context", elements: [mrkdwn(notice)] }, ...blocks] };
}

/** For whoever asks for what is done or waits already: who was before them, and what has become of that. */
function alreadyAskedMessage(change: Change, requesterId: string | undefined, cardLink: string | undefined): Message {
  const { id, state, undoes, actor } = change;
  const isOwn = actor.userId === requesterId;
  const asked = undoes === null ? describeChange(change).asked : `undo change ${undoes}`;
  const what = undoes !== null && state === "succeeded" ? `undone change ${undoes}` : `asked to ${asked}`;
  const sentence = `${isOwn ? "You have" : `${actor.name} has`} ${what} already. ${stateSentence(change)}`.trimEnd();
  const text = `${sentence} Nothing was asked for or done twice.`;
  const card = cardLink === undefined ? [] : [`<${cardLink}|Its card>`];
  return {
    text: escapeMrkdwn(clip(`${text} (change ${id})`, 1000)),
    blocks: [
      { type: "section", text: mrkdwn(clip(`:information_source: ${escapeMrkdwn(text)}`, limits.sectionText)) },
      contextBlock([`Change \`${id}\``, ...whereAsked(change), ...card].join(" · ")),
      ...buttonRow(isOwn && state === "awaiting-approval" ? withdrawButton(change) : []),
    ],
  };
}
