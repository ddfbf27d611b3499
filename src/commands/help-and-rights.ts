import { operationNames, operations } from "../service/operations.ts";
import type { Fact } from "./answer.ts";
import { type CommandHelp, type DecisionForOther, defineQuery } from "./command.ts";
import { choice, person, text } from "./field.ts";

export const can = defineQuery({
  words: "can",
  title: "Who may do what",
  summary: "Show whether somebody else may do something here, and the rule behind it",
  operation: null,
  isForAdmins: true,
  fields: {
    person: person({ label: "Person", positional: true }),
    operation: choice(
      operationNames.map((name) => ({ value: name, label: name })),
      { label: "Operation", positional: true },
    ),
  },
  answer: async ({ person: id, operation }, context) => {
    const found = await context.decisionFor(id, operation);
    if (!found) return { problem: `Curfew couldn't look up ${id} in Slack.` };
    return {
      title: `${found.actor.name} ${verdict(found)}: ${operations[operation].summary}`,
      items: [{ title: "", facts: [{ label: "Operation", value: operation }, ...decisionFacts(found)] }],
    };
  },
});

function verdict(found: DecisionForOther): string {
  const { decision, isOffered, approval } = found;
  if (decision.kind === "denied" && !isOffered) return "may not do this here";
  const limits = found.limits.length > 0 ? ", within limits" : "";
  return `may do this here${limits}${approval ? `, with the approval of ${approval.approvers.join(" or ")}` : ""}`;
}

function decisionFacts({ actor, roles, decision, limits, isOffered, approval }: DecisionForOther): readonly Fact[] {
  const why = decision.kind === "denied" && !isOffered ? [{ label: "Why", value: decision.reason }] : [];
  return [
    { label: "Rule", value: decision.rule },
    ...why,
    ...limits.flatMap(pieces).map((value) => ({ label: "Limit", value })),
    ...(approval ? [{ label: "Approval by", value: approval.rule }] : []),
    { label: "Roles", value: roles.length ? { list: roles } : "none" },
    { label: "Membership", value: memberships[actor.membership] },
  ];
}

/** The length of a fact. A longer limit is split, so that all of its names are shown. */
const maxFactLength = 250;

const pieces = (limit: string): readonly string[] =>
  limit.match(new RegExp(`.{1,${maxFactLength}}(?= |$)|\\S{1,${maxFactLength}}`, "g"))?.map((piece) => piece.trim()) ??
  [];

const memberships = {
  member: "full member",
  guest: "guest",
  bot: "bot",
  deleted: "deactivated",
  external: "from another organization",
} as const;

export const whoami = defineQuery({
  words: "whoami",
  title: "Who am I",
  summary: "Show my roles, what I may do here, and my service user",
  operation: null,
  fields: {},
  answer: async (_input, { actor, roles, help, directory }) => {
    const linked = actor.email ? await directory.match("user", actor.email) : [];
    const facts: Fact[] = [
      { label: "Roles", value: roles.length ? { list: roles } : "none" },
      { label: "May do here", value: { list: help.map((command) => command.words) } },
      {
        label: "Service user",
        value: linked.map((user) => `${user.name ?? user.id} (${user.id})`).join(", ") || "not known",
      },
      { label: "Time zone", value: actor.timeZone },
    ];
    return { title: actor.name, items: [{ title: "", facts }] };
  },
});

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
      return {
        problem: `There is no command about “${about}” that you may use here. \`help\` shows those you may use.`,
      };
    return {
      title: "What you may do here",
      note: "Times are in your Slack time zone. An incomplete line opens a form.",
      items: shown.map(({ usage, example, summary }) => ({
        title: usage,
        facts: [{ label: "", value: summary }, ...(example === usage ? [] : [{ label: "Example", value: example }])],
      })),
    };
  },
});

/** A command is found by its words and by those of its usage. */
function wordsOf({ words, usage }: CommandHelp): readonly string[] {
  return `${words} ${usage}`.toLowerCase().split(/\s+/);
}

export const accessCommands = [can, whoami, help] as const;
