import { operationNames, operations } from "../../service/operations.ts";
import type { Fact, Problem } from "../answer.ts";
import { defineQuery } from "../command.ts";
import { choice, person, text } from "../field.ts";
import type { CommandHelp, DecisionForOther } from "../query-ports.ts";
import { helpAbout, nearestHelp } from "./help-about.ts";
import { helpByExample } from "./help-by-example.ts";
import { rights, whoMay } from "./who-may.ts";

export const can = defineQuery({
  words: "can",
  title: "Who may do what",
  summary: "Show whether somebody may do something here, and the rule behind it",
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
    if (!found) return { problem: `Curfew couldn't look up ${id} in Slack. Check the name, or try again.` };
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

function decisionFacts(found: DecisionForOther): readonly Fact[] {
  const { actor, roles, decision, limits, isOffered, mayAsk, approval } = found;
  const why = decision.kind === "denied" && !isOffered ? [{ label: "Why", value: decision.reason }] : [];
  return [
    { label: "Rule", value: decision.rule },
    ...why,
    ...limits.flatMap(pieces).map((value) => ({ label: "Limit", value })),
    ...(mayAsk ? [{ label: "For more, may ask", value: { list: mayAsk } }] : []),
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
  answer: async (_input, { actor, roles, help, directory, whoMay: rightsOf }) => {
    const holding = rightsOf("exclude");
    const limits = holding && !holding.whyNot ? holding.limits : [];
    const linked = actor.email ? await directory.match("user", actor.email) : [];
    const facts: Fact[] = [
      { label: "Roles", value: roles.length ? { list: roles } : "none" },
      { label: "May do here", value: { list: help.map((command) => command.words) } },
      ...limits.flatMap(pieces).map((value) => ({ label: "Limit", value })),
      ...(limits.length > 0 && holding?.mayAsk.length
        ? [{ label: "For more, may ask", value: { list: holding.mayAsk } }]
        : []),
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
    about: text({
      label: "About",
      hint: "Any words, for example mfa",
      maxLength: 100,
      positional: "rest",
      optional: true,
    }),
  },
  answer: async ({ about }, context) => {
    if (about === undefined) return helpByExample(context);
    const isAll = everything.has(about.toLowerCase());
    // Who reads it knows how to ask for help.
    const shown = isAll ? context.help.filter(({ words }) => words !== "help") : helpAbout(about, context.help);
    if (shown.length === 0) return noHelp(about, context.help);
    return {
      title: isAll ? "What you may do here" : `What you may do here about “${about}”`,
      note: "Times are in your Slack time zone. An incomplete line opens a form.",
      items: shown.map(({ usage, example, summary }) => ({
        // All of them fit without their flags, which “help exclude” shows.
        title: isAll ? usage.replaceAll(/ \[--[^\]]*\]/g, "") : usage,
        facts: [{ label: "", value: summary }, ...(example === usage ? [] : [{ label: "Example", value: example }])],
      })),
    };
  },
});

const everything: ReadonlySet<string> = new Set(["all", "everything", "all commands"]);

function noHelp(about: string, help: readonly CommandHelp[]): Problem {
  const near = nearestHelp(about, help);
  const hint = near.length > 0 ? ` Did you mean ${near.map((word) => `“${word}”`).join(" or ")}?` : "";
  return {
    problem: `There is no command about “${about}” that you may use here.${hint} “help all” shows those you may use.`,
  };
}

export const accessCommands = [can, whoMay, rights, whoami, help] as const;
