import type { ContextBlock } from "@slack/types";
import type { DecisionOutcome } from "../../../changes/approvals/withdraw.ts";
import {
  type Approval,
  type Change,
  type ChangeState,
  canBeAskedAgain,
  cannotApprove,
  isOver,
  lackingApprovals,
} from "../../../changes/change.ts";
import { describeChange, stepsDone } from "../../../changes/change-command.ts";
import { verifiedWords } from "../../../changes/outcomes/follow-up.ts";
import { stepsAhead } from "../../../changes/planned/plan-times.ts";
import { inputAgain, planAgainButtons } from "../../../changes/planned/replace-plan.ts";
import { type SeriesStep, stepsOf } from "../../../changes/steps/series.ts";
import type { Ruling } from "../../../commands/about-changes/about-changes.ts";
import type { CommandButton } from "../../../commands/answer.ts";
import { plannedStart } from "../../../commands/command.ts";
import { holdersBeside } from "../../../permissions/policy.ts";
import { buttonRow } from "../button.ts";
import { approvalsOf } from "../facts.ts";
import { contextBlock, type Message, message, section } from "../message.ts";
import { clipMrkdwn, code, date, type Icon, join, literal, type Mrkdwn, md, mention } from "../text.ts";

export const stateIcons: Readonly<Record<ChangeState, Icon>> = {
  "awaiting-approval": ":raised_hand:",
  planned: ":spiral_calendar_pad:",
  approved: ":hourglass_flowing_sand:",
  denied: ":no_entry:",
  withdrawn: ":leftwards_arrow_with_hook:",
  expired: ":hourglass:",
  performing: ":hourglass_flowing_sand:",
  succeeded: ":white_check_mark:",
  partly: ":warning:",
  failed: ":x:",
  unknown: ":grey_question:",
};

/** For cards, whose first sign shows the state at a glance. */
export const cardIcons: Readonly<Record<ChangeState, Icon>> = {
  ...stateIcons,
  "awaiting-approval": ":large_yellow_circle:",
};

/** Whether a card names its change: something of it is open or went wrong, so that people may have to. */
export const namesChange = (state: ChangeState): boolean =>
  !["succeeded", "withdrawn", "denied", "expired", "planned"].includes(state);

/** The state, where a line below says who decided so. */
export function stateBelow(change: Change): string {
  const isSaid = change.state === "denied" || (change.state === "withdrawn" && change.settledAt !== null);
  return isSaid && !change.error && begunTimes(change) === 0 ? "Nothing was changed." : stateSentence(change);
}

/** The state of a change in plain sentences; empty for one that succeeded. */
export function stateSentence(change: Change): string {
  const { state, error, decisions, approval } = change;
  const why = errorSentence(error);
  switch (state) {
    case "awaiting-approval":
      return `It is waiting for ${approvalsNeeded(approval?.count ?? 1, decisions.length)}: nothing was changed yet.`;
    case "planned":
      return begunTimes(change) === 0 ? "It is planned: nothing was changed yet." : "It goes on as planned.";
    case "approved":
      return error
        ? `It is approved, but the service could not be reached. Nothing was changed yet, and Curfew will try again.${why}`
        : "It is approved and about to start.";
    case "performing":
      return "It is in progress.";
    case "denied":
      return "It was denied: nothing was changed.";
    case "withdrawn":
      return `${withdrawnSentence(begunTimes(change))}${why}`;
    case "expired":
      if (!error) return "It was not approved in time: nothing was changed.";
      return `It ${plannedStart(change.input) === undefined ? "expired" : "was missed"}: nothing was changed.${why}`;
    case "succeeded":
      return "";
    case "partly":
      return `It is partly done: ${stepsDone(change)}.`;
    case "failed":
      return `It failed: nothing was changed.${why}`;
    case "unknown":
      return `Its outcome is unknown: it may have happened.${why}`;
  }
}

/** How many times of a series were made. */
const begunTimes = ({ children = [] }: Change): number => children.filter(({ state }) => state === "succeeded").length;

function withdrawnSentence(begun: number): string {
  if (begun === 0) return "It was withdrawn: nothing was changed.";
  return `It was ended after ${begun === 1 ? "1 time" : `${begun} times`}. A time that has begun goes on until its end.`;
}

/** How an unknown outcome was found out. */
export const verifiedOnCard = (change: Change): readonly Mrkdwn[] =>
  verifiedWords(change).map(({ by, words }) => md`${by ? mention(by.userId) : "Curfew"} ${literal(words)}`);

/** The error, to follow another sentence. */
export function errorSentence(error: Change["error"]): string {
  return error ? ` ${error.message}${/[.”]$/.test(error.message) ? "" : "."} (${error.code})` : "";
}

function approvalsNeeded(count: number, given: number): string {
  if (count === 1) return "approval";
  return `${count} approvals${given > 0 ? ` (${given} given)` : ""}`;
}

type Decided = Extract<DecisionOutcome, { readonly kind: "decided" | "overtaken" }>;

/**
 * For the person who decided on a change, or came too late: which decision counted, and the change's state. `isAboveCard`: its card is
 * there too, and says what came of it.
 */
export function decisionMessage(decided: Decided, deciderId: string | undefined, isAboveCard: boolean): Message {
  const { kind, ruling, change } = decided;
  const isCounted = kind === "decided";
  const step = stepThen(change, ruling);
  const effect = isCounted ? counted[ruling.verdict] : noEffect(decided, deciderId);
  // Trouble is said in the answer too.
  const isBrief = isCounted && isAboveCard && !step && change.error === null && change.state !== "partly";
  const sentence =
    step && isCounted ? occurrenceSentence(step, change, ruling) : `${effect} ${changeSentence(change, deciderId)}`;
  const isBack = ruling.isBack === true || !isCounted;
  const undo = isBack || !step?.change ? [] : [undoButton(step.change)];
  const isWithdrawn = isCounted && ruling.verdict === "withdrawn";
  const buttons = [...undo, ...(isWithdrawn && undo.length === 0 ? planAgainButtons(change) : [])];
  // A decision without effect is no success, even if the change is one.
  const icon = isBrief ? ":white_check_mark:" : isCounted ? stateIcons[change.state] : ":information_source:";
  return message(`${sentence} (change ${change.id})`, [
    section(md`${icon} ${literal(isBrief ? effect : sentence)}`),
    ...(isBrief || step ? [] : [contextBlock(md`Change ${code(change.id)}`)]),
    ...buttonRow(buttons),
  ]);
}

const undoButton = ({ id }: Change): CommandButton => ({
  ...{ label: "Undo", words: "undo", opens: "result", input: { change: id } },
});

/** The step of a series that a ruling is about. */
const stepThen = (change: Change, { occurrence }: Ruling): SeriesStep | undefined =>
  occurrence === undefined ? undefined : stepsOf(change).find(({ input }) => plannedStart(input) === occurrence);

function occurrenceSentence({ asked }: SeriesStep, change: Change, { isBack }: Ruling): string {
  const left = stepsAhead(change).length;
  const rest = left === 1 ? "1 time is left" : `${left} times are left`;
  return `${isBack ? `${asked} is planned again` : `You left out ${asked}`}. ${left === 0 ? "No time is left" : rest}.`;
}

const counted: Readonly<Record<Ruling["verdict"], string>> = {
  approved: "You approved it.",
  denied: "You denied it.",
  withdrawn: "You withdrew it.",
};

const decisionNouns: Readonly<Record<Ruling["verdict"], string>> = {
  approved: "approval",
  denied: "denial",
  withdrawn: "withdrawal",
};

/** Each person decides once: an earlier decision is named. */
function noEffect({ ruling, change }: Decided, deciderId: string | undefined): string {
  const own = change.decisions.find(({ approverId }) => approverId === deciderId);
  if (own?.verdict === ruling.verdict) return `You already ${own.verdict} this.`;
  if (ruling.verdict === change.state) return "Nothing was changed now.";
  const isLate = change.state !== "awaiting-approval";
  const earlier = own ? ` You ${own.verdict} this before${isLate ? "" : ", and each person decides once"}.` : "";
  return `Your ${decisionNouns[ruling.verdict]} ${isLate ? "came too late and " : ""}had no effect.${earlier}`;
}

/** What came of a change, for one reader. */
export function changeSentence(change: Change, readerId: string | undefined): string {
  const { done, asked } = describeChange(change);
  const { state, actor } = change;
  const isOwn = actor.userId === readerId;
  const who = isOwn ? "You" : actor.name;
  if (state === "succeeded") return `${who} ${done}.`;
  const rest = state === "partly" && !isOwn ? ` Ask ${who} to try the rest again.` : "";
  return `${who} wanted to ${asked}. ${stateSentence(change)}${rest}`;
}

const shownDecisions = 8;
const shownNotes = 1000;
const shownEffect = 800;

/** What is expected to come of a change that waits for approval. */
export function effectLines({ approval, state }: Change): readonly ContextBlock[] {
  const effect = state === "awaiting-approval" ? (approval?.effect ?? []).map((line) => literal(line)) : [];
  return effect.length === 0 ? [] : [contextBlock(clipMrkdwn(join(effect, "\n"), shownEffect))];
}

/** Those whose approval it lacks. */
export const askedOf = ({ approvers }: Approval, change: Change): Mrkdwn =>
  approvalsOf(holdersBeside(approvers, ...cannotApprove(change)), lackingApprovals(change));

/** Whose approval a waiting change needs, and until when. */
export function needsWords(change: Change): readonly Mrkdwn[] {
  const { approval, state, actor } = change;
  if (!approval || state !== "awaiting-approval") return [];
  return [md`needs ${askedOf(approval, change)} until ${date(approval.expiresAt, actor.timeZone)}`];
}

/** Why its requester may not do it alone. */
export function beyondWords({ approval, state, actor }: Change): readonly Mrkdwn[] {
  const { how, what } = approval?.beyond ?? {};
  return how === undefined || what === undefined || state !== "awaiting-approval"
    ? []
    : [md`${literal(how)} ${mention(actor.userId)}'s ${literal(what, 200)}`];
}

/** Who approved what was done, and what they said. */
export function approvedWords({ decisions, state }: Change): readonly Mrkdwn[] {
  if (state !== "succeeded" && state !== "partly" && state !== "planned") return [];
  const approved = decisions.filter(({ verdict }) => verdict === "approved").slice(-shownDecisions);
  const said = ({ note }: Change["decisions"][number]) =>
    note === null ? "" : md`: “${literal(note, Math.floor(shownNotes / approved.length))}”`;
  return approved.map((decision) => md`approved by ${mention(decision.approverId)}${said(decision)}`);
}

/** One line for each decision: the approver, the time and the note. */
export function decisionLines({ decisions, notices, state, actor, settledAt, note: by }: Change): readonly Mrkdwn[] {
  const shown = decisions.slice(-shownDecisions);
  const lines = shown.map(({ approverId, verdict, note, at }) => {
    const decision = verdict === "approved" ? ":white_check_mark: Approved" : ":no_entry: Denied";
    const noteText = note === null ? "" : md`: ${literal(note, Math.floor(shownNotes / shown.length))}`;
    const isOwner = notices.some(({ userId, isOwner: owns }) => owns && userId === approverId);
    return md`${decision} by ${mention(approverId)}${isOwner ? ", the account's owner" : ""}, ${date(at, actor.timeZone)}${noteText}`;
  });
  const whose = by === null ? md`Withdrawn by ${mention(actor.userId)}` : literal(by, shownNotes);
  const withdrawn = md`:leftwards_arrow_with_hook: ${whose}`;
  return state === "withdrawn" && settledAt !== null
    ? [...lines, md`${withdrawn}, ${date(settledAt, actor.timeZone)}`]
    : lines;
}

/** The buttons of a change that waits or came to nothing. Withdrawing is for its requester, who has that button in private. */
export function approvalButtons(change: Change): readonly CommandButton[] {
  const { id, state, approval, actor } = change;
  if (!approval) return [];
  const input = { change: id };
  const asks = describeChange(change).asked;
  switch (state) {
    case "awaiting-approval":
      return [
        { label: "Approve", words: "approve", opens: "result", input, about: `${actor.name} wants to ${asks}.` },
        { label: "Deny…", words: "deny", opens: "form", input },
      ];
    case "denied":
    case "expired":
    case "withdrawn":
    case "failed":
      return canBeAskedAgain(change) ? [requestAgainButton(change)] : [];
    default:
      return [];
  }
}

export function approvalMenu({ id, state }: Change): readonly CommandButton[] {
  return state === "awaiting-approval"
    ? [{ label: "Approve with a note…", words: "approve", opens: "form", input: { change: id } }]
    : [];
}

export function withdrawButton({ id, state }: Change): readonly CommandButton[] {
  return !isOver(state) && state !== "performing"
    ? [{ label: "Withdraw", words: "withdraw", opens: "result", input: { change: id } }]
    : [];
}

/** Opens the form of the command, filled as it was. */
function requestAgainButton(change: Change): CommandButton {
  const { words, undoes } = change;
  return undoes === null
    ? { label: "Ask again", words, opens: "form", input: inputAgain(change) }
    : { label: "Ask again", words: "undo", opens: "form", input: { change: undoes } };
}

/** Says whose approval a change still needs and when it expires; undefined when it no longer waits. */
export function approvalReminder(change: Change): Message | undefined {
  const { approval, actor, state, id } = change;
  if (!approval || state !== "awaiting-approval") return undefined;
  const what = describeChange(change).asked;
  const until = date(approval.expiresAt, actor.timeZone);
  const text = md`:alarm_clock: ${mention(actor.userId)} wants to ${literal(what, 1000)}. It still needs the approval of ${askedOf(approval, change)} and expires ${until}.`;
  return message(`${actor.name}'s change ${id} still needs approval`, [section(text)]);
}
