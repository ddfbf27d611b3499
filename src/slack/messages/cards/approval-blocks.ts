import type { ContextBlock } from "@slack/types";
import { type Approval, type Change, canBeAskedAgain, isOver, lackingApprovals } from "../../../changes/change.ts";
import { describeChange } from "../../../changes/change-command.ts";
import { inputAgain } from "../../../changes/planned/plan-again.ts";
import { approvalsLacking } from "../../../commands/about-changes/about-changes.ts";
import type { CommandButton } from "../../../commands/answer.ts";
import { holdersBeside } from "../../../permissions/policy.ts";
import { holderMentions } from "../facts.ts";
import {
  clipMrkdwn,
  contextBlock,
  date,
  join,
  literal,
  type Message,
  type Mrkdwn,
  md,
  mention,
  mrkdwn,
} from "../message.ts";

const shownDecisions = 8;
const shownNotes = 1000;
const shownEffect = 800;

/** Why the account is protected, and what is expected to come of a change that waits for approval. */
export function effectLines({ approval, state }: Change): readonly ContextBlock[] {
  const effect =
    state === "awaiting-approval"
      ? [...becauseOf(approval), ...(approval?.effect ?? []).map((line) => literal(line))]
      : [];
  return effect.length === 0 ? [] : [contextBlock(clipMrkdwn(join(effect, "\n"), shownEffect))];
}

const becauseOf = (approval: Change["approval"]): readonly Mrkdwn[] =>
  (approval?.because ?? []).map((because) => md`⚠️ ${literal(because)}`);

/** Those who are asked to approve: the holders without its requester, its account's owner, and those who count already. */
function asked({ approvers, except = [] }: Approval, { actor, notices }: Change): Mrkdwn {
  const owners = notices.filter(({ isOwner }) => isOwner);
  const left = [actor, ...except, ...owners].map(({ userId }) => userId);
  return holderMentions(holdersBeside(approvers, ...left), " or ");
}

/** Whose approval a waiting change needs, and until when. */
export function needsWords(change: Change): readonly Mrkdwn[] {
  const { approval, state, actor } = change;
  if (!approval || state !== "awaiting-approval") return [];
  const { expiresAt } = approval;
  const lacking = lackingApprovals(change);
  const countWords =
    lacking === 1 ? md`needs one ${change.decisions.length > 0 ? "more " : ""}of` : md`needs ${lacking} of`;
  return [md`${countWords} ${asked(approval, change)} until ${date(expiresAt, actor.timeZone)}`];
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
  const { id, state, approval } = change;
  if (!approval) return [];
  const input = { change: id };
  switch (state) {
    case "awaiting-approval":
      return [
        { label: "Approve", words: "approve", opens: "result", input },
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
  const whose = md`${literal(approvalsLacking(lackingApprovals(change)))} of ${asked(approval, change)}`;
  const until = date(approval.expiresAt, actor.timeZone);
  const text = md`:alarm_clock: ${mention(actor.userId)} wants to ${literal(what, 1000)}. It still needs ${whose} and expires ${until}.`;
  return {
    text: literal(`${actor.name}'s change ${id} still needs approval`),
    blocks: [{ type: "section", text: mrkdwn(text) }],
  };
}
