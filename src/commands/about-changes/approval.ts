import type { CommandButton, Item, Line } from "../answer.ts";
import { defineQuery } from "../command.ts";
import type { DecisionCommand } from "../command-base.ts";
import { choice, number, text } from "../field.ts";
import { approvalsLacking, type WaitingEntry } from "./about-changes.ts";

export const approvalList = defineQuery({
  words: "approval list",
  aliases: ["approvals"],
  title: "Approvals",
  summary: "Show changes that wait for my approval, and my own that wait",
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
    const [some, none] = [shown.length === 1 ? "1 change waits" : `${shown.length} changes wait`, "No change waits"];
    return {
      title: shown.length === 0 ? none : some,
      ...(shown.length === 0 ? { note: "“history” shows what was decided." } : {}),
      items: shown.map((entry) => (entry.mayDecide ? waitingItem(entry) : ownLine(entry))),
    };
  },
});

function waitingItem(entry: WaitingEntry): Item {
  const { id, actorName, description, reason, ticket, expiresAt, beyond, concerns } = entry;
  return {
    title: `${actorName} wants to ${description.asked}`,
    facts: [
      { label: "Waits for", value: waitsFor(entry) },
      { label: "At the latest", value: { at: expiresAt } },
      ...(reason ? [{ label: "Reason", value: reason }] : []),
      ...(ticket ? [{ label: "Ticket", value: ticket }] : []),
      ...(beyond ? [{ label: "Because it is", value: beyond }] : []),
      ...description.facts,
      { label: "Change", value: id },
    ],
    concerns,
    buttons: buttonsFor(id),
  };
}

function waitsFor({ isApproved, approvers, lacking }: WaitingEntry): string {
  if (isApproved) return "the service, which could not be reached";
  return `${approvalsLacking(lacking)} of ${approvers.join(" or ")}`;
}

function buttonsFor(id: string): readonly CommandButton[] {
  const input = { change: id };
  return [
    { label: "Approve", words: "approve", opens: "result", input },
    { label: "Deny…", words: "deny", opens: "form", input },
  ];
}

/** A request of the reader's own, which they may withdraw. */
function ownLine(entry: WaitingEntry): Line {
  const { id, description, reason, ticket, expiresAt } = entry;
  return {
    ...{ id, sign: "waiting", name: `You want to ${description.asked}` },
    parts: [
      `waits for ${waitsFor(entry)}`,
      { before: "until ", at: expiresAt },
      ...[reason ?? [], ticket ?? []].flat(),
      id,
    ],
    menu: [{ label: "Withdraw", words: "withdraw", opens: "result", input: { change: id } }],
  };
}

const change = text({
  label: "Change id",
  hint: "Its card shows it",
  example: "chg-1a2b3c4d5",
  maxLength: 40,
  positional: true,
});

export const approve: DecisionCommand = {
  kind: "decision",
  words: "approve",
  title: "Approve a change",
  summary: "Approve a change that somebody else asked for",
  operation: null,
  verdict: "approved",
  confirms: "It is performed as soon as enough people have approved it.",
  fields: { change, note: text({ label: "Note", maxLength: 500, optional: true, multiline: true }) },
  changeId: (input) => String(input.change),
  ruling: ({ note }) => ({ verdict: "approved", note: typeof note === "string" ? note : null }),
};

export const deny: DecisionCommand = {
  kind: "decision",
  words: "deny",
  title: "Deny a change",
  summary: "Deny a change that somebody else asked for, and say why",
  operation: null,
  verdict: "denied",
  fields: {
    change,
    reason: text({
      label: "Reason",
      example: "not before the release",
      hint: "The requester sees it",
      maxLength: 500,
      multiline: true,
      positional: "rest",
    }),
  },
  changeId: (input) => String(input.change),
  ruling: ({ reason }) => ({ verdict: "denied", note: String(reason).replace(/^because\s+/i, "") }),
};

export const withdraw: DecisionCommand = {
  kind: "decision",
  words: "withdraw",
  title: "Withdraw a change",
  summary: "Withdraw a change that waits for approval or is planned",
  operation: null,
  verdict: "withdrawn",
  confirms: "Then it isn't made.",
  fields: {
    change,
    occurrence: number({ label: "Occurrence", minimum: 0, optional: true, hidden: "all" }),
  },
  changeId: (input) => String(input.change),
  ruling: ({ occurrence }) => ({
    ...{ verdict: "withdrawn", note: null },
    ...(typeof occurrence === "number" ? { occurrence } : {}),
  }),
};

export const approvalCommands = [approvalList, approve, deny, withdraw] as const;
