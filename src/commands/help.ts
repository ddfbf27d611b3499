import { defineQuery } from "./command.ts";
import { text } from "./field.ts";

export const help = defineQuery({
  words: "help",
  title: "Help",
  summary: "Show what I may do here",
  operation: null,
  fields: {
    noun: text({ label: "About", hint: "For example exclusion", maxLength: 40, positional: true, optional: true }),
  },
  answer: async ({ noun }, context) => {
    const about = noun?.toLowerCase();
    const shown = context.help.filter(({ words }) => !about || words.split(" ")[0] === about);
    if (shown.length === 0)
      return { problem: `There is nothing about “${noun}” that you may do here. \`help\` shows what you may.` };
    return {
      title: "What you may do here",
      note: "A time is read in your Slack time zone. A line that lacks something opens a form.",
      items: shown.map(({ usage, summary }) => ({ title: usage, facts: [{ label: "", value: summary }] })),
    };
  },
});
