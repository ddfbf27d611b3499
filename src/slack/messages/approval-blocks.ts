import type { KnownBlock, RichTextBlock } from "@slack/types";
import { type Change, lackingApprovals } from "../../changes/change.ts";
import { describeChange } from "../../changes/change-command.ts";
import { approvalsLacking } from "../../commands/about-changes.ts";
import type { CommandButton } from "../../commands/answer.ts";
import { holdersBeside } from "../../permissions/policy.ts";
import { holderMentions } from "./facts.ts";
import {
  clip,
  contextBlock,
  date,
  escapeMrkdwn,
  escapeWithin,
  limits,
  type Message,
  mention,
  mrkdwn,
} from "./message.ts";

/** With these a card with its facts stays clear of what Slack takes, whatever people write. */
const shownDecisions = 8;
const shownNotes = 1000;
const shownEffect = 800;
const leastOfRequest = 500;

/** What a card says to those who are asked: what would come of it, and whom it needs; then who decided what. */
export function approvalBlocks(change: Change): KnownBlock[] {
  const { approval, state, actor } = change;
  if (!approval) return [];
  const { approvers, count, effect, expiresAt } = approval;
  const isAwaited = state === "awaiting-approval";
  const several = count === 1 ? "" : `${count} of `;
  const needs = `Needs the approval of ${several}${holderMentions(holdersBeside(approvers, actor.userId), " or ")}, until ${date(expiresAt, actor.timeZone)}.`;
  return [
    ...(isAwaited && effect.length > 0 ? [contextBlock(escapeWithin(effect.join("\n"), shownEffect))] : []),
    ...(isAwaited ? [contextBlock(needs)] : []),
    ...decisionLines(change).map(contextBlock),
  ];
}

/** Who decided what, when, and with which words; a line each. */
export function decisionLines({ decisions, state, actor, settledAt }: Change): readonly string[] {
  const shown = decisions.slice(-shownDecisions);
  const said = shown.map(({ approverId, verdict, note, at }) => {
    const who = verdict === "approved" ? ":white_check_mark: Approved" : ":no_entry: Denied";
    const words = note === null ? "" : `: ${escapeWithin(note, Math.floor(shownNotes / shown.length))}`;
    return `${who} by ${mention(approverId)}, ${date(at, actor.timeZone)}${words}`;
  });
  const withdrawn = `:leftwards_arrow_with_hook: Withdrawn by ${mention(actor.userId)}`;
  return state === "withdrawn" && settledAt !== null
    ? [...said, `${withdrawn}, ${date(settledAt, actor.timeZone)}`]
    : said;
}

/** How many of its facts a message about a change has room for; where the exact request is shown, they are in it too. */
export function shownFacts({ approval, state }: Change): number {
  if (approval === null) return limits.fieldsInSection;
  return state === "awaiting-approval" ? 5 : 8;
}

/** What approvers approve, as it will be sent, in a block in which nothing is markup; as much of it as there is room for beside `others`. */
export function exactRequest({ approval, state, operation, request }: Change, others: readonly object[]): KnownBlock[] {
  if (!approval || state !== "awaiting-approval") return [];
  const room = Math.max(limits.messageCharacters - JSON.stringify(others).length, leastOfRequest);
  const body = JSON.stringify(request, null, 1);
  const text = `${operation}\n${clip(body, room)}`;
  const block: RichTextBlock = {
    type: "rich_text",
    elements: [{ type: "rich_text_preformatted", elements: [{ type: "text", text }] }],
  };
  const hidden = `:warning: The request goes on for ${body.length - room} more characters than can be shown here.`;
  return [block, ...(body.length > room ? [contextBlock(hidden)] : [])];
}

/** What can be done about a change that waits, or came to nothing. A card is one for all, so it has the buttons of all. */
export function approvalButtons(change: Change): readonly CommandButton[] {
  const { id, state, approval } = change;
  if (!approval) return [];
  const input = { change: id };
  switch (state) {
    case "awaiting-approval":
      return [
        { label: "Approve", words: "approve", opens: "result", input },
        { label: "Approve with note…", words: "approve", opens: "form", input },
        { label: "Deny…", words: "deny", opens: "form", input },
        ...withdrawButton(change),
      ];
    case "approved":
      return withdrawButton(change);
    case "denied":
    case "expired":
    case "withdrawn":
    case "failed":
      return [askAgainButton(change)];
    default:
      return [];
  }
}

export function withdrawButton({ id }: Change): readonly CommandButton[] {
  return [{ label: "Withdraw", words: "withdraw", opens: "result", input: { change: id } }];
}

/** Opens the form it was asked for with, filled as it was. */
export function askAgainButton({ words, input, undoes }: Change): CommandButton {
  return undoes === null
    ? { label: "Ask again", words, opens: "form", input }
    : { label: "Ask again", words: "undo", opens: "form", input: { change: undoes } };
}

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
