import type { KnownBlock, RichTextBlock } from "@slack/types";
import { type Change, lackingApprovals } from "../../changes/change.ts";
import { describeChange } from "../../changes/change-command.ts";
import { approvalsLacking } from "../../commands/about-changes/about-changes.ts";
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
  spelledOut,
} from "./message.ts";

/** With these limits a card with its facts stays below what Slack takes, however much people write. */
const shownDecisions = 8;
const shownNotes = 1000;
const shownEffect = 800;
const minRequestLength = 500;

/** The part of a card about its approval: the expected effect, who is needed, and each decision so far. */
export function approvalBlocks(change: Change): KnownBlock[] {
  const { approval, state, actor } = change;
  if (!approval) return [];
  const { approvers, count, effect, expiresAt } = approval;
  const isAwaited = state === "awaiting-approval";
  const countWords = count === 1 ? "" : `${count} of `;
  const needs = `Needs approval from ${countWords}${holderMentions(holdersBeside(approvers, actor.userId), " or ")} by ${date(expiresAt, actor.timeZone)}.`;
  return [
    ...(isAwaited && effect.length > 0 ? [contextBlock(escapeWithin(effect.join("\n"), shownEffect))] : []),
    ...(isAwaited ? [contextBlock(needs)] : []),
    ...decisionLines(change).map(contextBlock),
  ];
}

/** One line for each decision: the approver, the time and the note. */
export function decisionLines({ decisions, state, actor, settledAt }: Change): readonly string[] {
  const shown = decisions.slice(-shownDecisions);
  const lines = shown.map(({ approverId, verdict, note, at }) => {
    const decision = verdict === "approved" ? ":white_check_mark: Approved" : ":no_entry: Denied";
    const noteText = note === null ? "" : `: ${escapeWithin(note, Math.floor(shownNotes / shown.length))}`;
    return `${decision} by ${mention(approverId)}, ${date(at, actor.timeZone)}${noteText}`;
  });
  const withdrawn = `:leftwards_arrow_with_hook: Withdrawn by ${mention(actor.userId)}`;
  return state === "withdrawn" && settledAt !== null
    ? [...lines, `${withdrawn}, ${date(settledAt, actor.timeZone)}`]
    : lines;
}

/** How many facts a message about a change has room for. Fewer where the exact request is shown: it holds them too. */
export function shownFacts({ approval, state }: Change): number {
  if (approval === null) return limits.fieldsInSection;
  return state === "awaiting-approval" ? 5 : 8;
}

/** The request as it will be sent, in a block without markup: what the approvers approve. Clipped to the room that `others` leave. */
export function exactRequest({ approval, state, operation, request }: Change, others: readonly object[]): KnownBlock[] {
  if (!approval || state !== "awaiting-approval") return [];
  const room = Math.max(limits.messageCharacters - JSON.stringify(others).length, minRequestLength);
  const body = spelledOut(JSON.stringify(request, null, 1));
  const text = `${operation}\n${clip(body, room)}`;
  const block: RichTextBlock = {
    type: "rich_text",
    elements: [{ type: "rich_text_preformatted", elements: [{ type: "text", text }] }],
  };
  const hidden = `:warning: ${body.length - room} more characters of the request do not fit here.`;
  return [block, ...(body.length > room ? [contextBlock(hidden)] : [])];
}

/** The buttons of a change that waits or came to nothing. Everybody sees the same card, so it has every button. */
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
      return [requestAgainButton(change)];
    default:
      return [];
  }
}

export function withdrawButton({ id }: Change): readonly CommandButton[] {
  return [{ label: "Withdraw", words: "withdraw", opens: "result", input: { change: id } }];
}

/** Opens the form of the command, filled as it was. */
function requestAgainButton({ words, input, undoes }: Change): CommandButton {
  return undoes === null
    ? { label: "Ask again", words, opens: "form", input }
    : { label: "Ask again", words: "undo", opens: "form", input: { change: undoes } };
}

/** Says whose approval a change still needs and when it expires; undefined when it no longer waits. */
export function approvalReminder(change: Change): Message | undefined {
  const { approval, actor, state, id } = change;
  if (!approval || state !== "awaiting-approval") return undefined;
  const { asked } = describeChange(change);
  const whose = `${approvalsLacking(lackingApprovals(change))} of ${holderMentions(holdersBeside(approval.approvers, actor.userId), " or ")}`;
  const until = date(approval.expiresAt, actor.timeZone);
  const text = `:alarm_clock: ${mention(actor.userId)} asked to ${escapeWithin(asked, 1000)}. It still needs ${whose} and expires ${until}.`;
  return {
    text: escapeMrkdwn(`${actor.name}'s change ${id} still needs approval`),
    blocks: [{ type: "section", text: mrkdwn(text) }],
  };
}
