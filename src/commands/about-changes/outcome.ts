import type { OutcomeCommand } from "../command-base.ts";
import { choice, text } from "../field.ts";

const change = text({
  label: "Change id",
  hint: "Its card shows it",
  example: "chg-1a2b3c4d5",
  maxLength: 40,
  positional: true,
});

export const recheck: OutcomeCommand = {
  kind: "outcome",
  words: "recheck",
  title: "Check an outcome",
  summary: "Find out whether a change with an unknown outcome was made",
  operation: null,
  fields: { change },
  changeId: (input) => String(input.change),
  seen: () => undefined,
};

export const outcome: OutcomeCommand = {
  kind: "outcome",
  words: "outcome",
  title: "Report an outcome",
  summary: "Say what the service shows for a change with an unknown outcome",
  operation: null,
  confirms: "The history will name you as having seen this in the service.",
  fields: {
    change,
    seen: choice(
      [
        { value: "done", label: "It was done" },
        { value: "not-done", label: "It was not done" },
      ],
      { label: "What you saw", positional: true },
    ),
  },
  changeId: (input) => String(input.change),
  seen: ({ seen }) => (seen === "done" ? "done" : "not-done"),
};

export const retry: OutcomeCommand = {
  kind: "outcome",
  words: "retry",
  aliases: ["try again"],
  title: "Try again",
  summary: "Run what is left of a change",
  operation: null,
  fields: { change },
  changeId: (input) => String(input.change),
  seen: () => undefined,
  isRetry: true,
};

export const outcomeCommands = [recheck, outcome, retry] as const;
