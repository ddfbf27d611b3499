import { type CommandHelp, defineQuery } from "./command.ts";
import { text } from "./field.ts";

export const help = defineQuery({
  words: "help",
  title: "Help",
  summary: "Show what I may do here",
  operation: null,
  fields: {
    about: text({ label: "About", hint: "For example exclusion", maxLength: 40, positional: "rest", optional: true }),
  },
  answer: async ({ about }, context) => {
    const asked = about?.toLowerCase().split(/\s+/) ?? [];
    const shown = context.help.filter((command) => asked.every((word) => wordsOf(command).includes(word)));
    if (shown.length === 0)
      return { problem: `There is nothing about “${about}” that you may do here. \`help\` shows what you may.` };
    return {
      title: "What you may do here",
      note: "A time is read in your Slack time zone. A line that lacks something opens a form.",
      items: shown.map(({ usage, example, summary }) => ({
        title: usage,
        facts: [{ label: "", value: summary }, ...(example === usage ? [] : [{ label: "Example", value: example }])],
      })),
    };
  },
});

/** A command is found by its words, and by those of the short form that its usage shows. */
function wordsOf({ words, usage }: CommandHelp): readonly string[] {
  return `${words} ${usage}`.toLowerCase().split(/\s+/);
}
