import type { CommandButton, Item } from "./answer.ts";
import { defineQuery } from "./command.ts";
import { choice } from "./field.ts";
import { approvalsLacking, type WaitingEntry } from "./waiting-entry.ts";

export const approvalList = defineQuery({
  words: "approval list",
  aliases: ["approvals"],
  title: "Approvals",
  summary: "Show what waits for my approval, and what I asked for that waits",
  operation: null,
  fields: {
    whose: choice(
      [
        { value: "for-me", label: "Waits for me" },
        { value: "mine", label: "I asked for it" },
      ],
      { label: "Whose", positional: true, optional: true },
    ),
  },
  answer: async ({ whose }, context) => {
    const waiting = await context.waiting();
    const shown = waiting.filter(({ isOwn }) => whose === undefined || isOwn === (whose === "mine"));
    return {
      title: shown.length === 1 ? "1 change waits" : `${shown.length} changes wait`,
      items: shown.map(waitingItem),
    };
  },
});

function waitingItem(entry: WaitingEntry): Item {
  const { id, actorName, description, reason, expiresAt } = entry;
  return {
    title: `${actorName} asked to ${description.asked}`,
    facts: [
      { label: "Waits for", value: waitsFor(entry) },
      { label: "At the latest", value: { at: expiresAt } },
      ...(reason ? [{ label: "Reason", value: reason }] : []),
      ...description.facts,
      { label: "Change", value: id },
    ],
    buttons: buttonsFor(entry),
  };
}

function waitsFor({ isApproved, approvers, lacking }: WaitingEntry): string {
  if (isApproved) return "the service, which could not be reached";
  return `${approvalsLacking(lacking)} of ${approvers.join(" or ")}`;
}

function buttonsFor({ id, isOwn, mayDecide }: WaitingEntry): readonly CommandButton[] {
  const input = { change: id };
  if (isOwn) return [{ label: "Withdraw", words: "withdraw", opens: "result", input }];
  if (!mayDecide) return [];
  return [
    { label: "Approve", words: "approve", opens: "result", input },
    { label: "Deny…", words: "deny", opens: "form", input },
  ];
}
