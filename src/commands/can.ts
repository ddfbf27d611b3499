import { operationNames, operations } from "../service/operations.ts";
import type { Fact } from "./answer.ts";
import { type DecisionForOther, defineQuery } from "./command.ts";
import { choice, person } from "./field.ts";

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
    if (!found) return { problem: `Slack could not say who ${id} is.` };
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
    { label: "Standing", value: memberships[actor.membership] },
  ];
}

/** As much as a fact shows, so that a limit with many names is told whole. */
const shownInFact = 250;

const pieces = (limit: string): readonly string[] =>
  limit.match(new RegExp(`.{1,${shownInFact}}(?= |$)|\\S{1,${shownInFact}}`, "g"))?.map((piece) => piece.trim()) ?? [];

const memberships = {
  member: "full member",
  guest: "guest",
  bot: "bot",
  deleted: "deactivated",
  external: "of another organisation",
} as const;
