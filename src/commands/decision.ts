import type { DecisionCommand } from "./decision-command.ts";
import { text } from "./field.ts";

const change = text({
  label: "Change id",
  hint: "As its card shows it",
  example: "chg-1a2b3c4d5",
  maxLength: 40,
  positional: true,
});

export const approve: DecisionCommand = {
  kind: "decision",
  words: "approve",
  title: "Approve a change",
  summary: "Say yes to a change that somebody else asked for",
  operation: null,
  verdict: "approved",
  confirms: "Once enough have approved it, it is made at once.",
  fields: { change, note: text({ label: "Note", maxLength: 500, optional: true, multiline: true }) },
  changeId: (input) => String(input.change),
  ruling: ({ note }) => ({ verdict: "approved", note: typeof note === "string" ? note : null }),
};

export const deny: DecisionCommand = {
  kind: "decision",
  words: "deny",
  title: "Deny a change",
  summary: "Say no to a change that somebody else asked for, and why",
  operation: null,
  verdict: "denied",
  fields: {
    change,
    reason: text({
      label: "Reason",
      example: "not before the release",
      hint: "Who asked is told",
      maxLength: 500,
      multiline: true,
      positional: "rest",
    }),
  },
  changeId: (input) => String(input.change),
  ruling: ({ reason }) => ({ verdict: "denied", note: String(reason) }),
};

export const withdraw: DecisionCommand = {
  kind: "decision",
  words: "withdraw",
  title: "Withdraw a change",
  summary: "Take back what I asked for, while it waits for approval",
  operation: null,
  verdict: "withdrawn",
  confirms: "Nobody can approve it any more.",
  fields: { change },
  changeId: (input) => String(input.change),
  ruling: () => ({ verdict: "withdrawn", note: null }),
};
