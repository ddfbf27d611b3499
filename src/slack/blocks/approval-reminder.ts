import { type Change, lackingApprovals } from "../../changes/change.ts";
import { describeChange } from "../../changes/describe-change.ts";
import { approvalsLacking } from "../../commands/waiting-entry.ts";
import { holdersBeside } from "../../permissions/policy.ts";
import { holderMentions } from "./holders.ts";
import type { Message } from "./message.ts";
import { date, escapeMrkdwn, escapeWithin, mention, mrkdwn } from "./mrkdwn.ts";

/** That a change still waits for approval: whose, and how long it can; undefined for one that does not any more. */
export function approvalReminder(change: Change): Message | undefined {
  const { approval, actor, state, id } = change;
  if (!approval || state !== "awaiting-approval") return undefined;
  const { asked } = describeChange(change);
  const whose = `${approvalsLacking(lackingApprovals(change))} of ${holderMentions(holdersBeside(approval.approvers, actor.userId), " or ")}`;
  const until = date(approval.expiresAt, actor.timeZone);
  const text = `:alarm_clock: ${mention(actor.userId)} asked to ${escapeWithin(asked, 1000)}. It still waits for ${whose}, and lapses ${until}.`;
  return {
    text: escapeMrkdwn(`${actor.name}'s change ${id} still waits for approval`),
    blocks: [{ type: "section", text: mrkdwn(text) }],
  };
}
