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
    if (!found) return { problem: `Slack could not say who ${id} is. Nothing was changed.` };
    return {
      title: `${found.actor.name} ${verdict(found)}: ${operations[operation].summary}`,
      items: [{ title: "", facts: [{ label: "Operation", value: operation }, ...decisionFacts(found)] }],
    };
  },
});

function verdict({ decision, isOffered }: DecisionForOther): string {
  if (decision.kind === "allowed") return "may do this here";
  return isOffered ? "may do this here, within limits" : "may not do this here";
}

function decisionFacts({ actor, roles, decision, isOffered }: DecisionForOther): readonly Fact[] {
  const why = decision.kind === "denied" ? [{ label: isOffered ? "Limits" : "Why", value: decision.reason }] : [];
  return [
    { label: "Rule", value: decision.rule },
    ...why,
    { label: "Roles", value: roles.length ? { list: roles } : "none" },
    { label: "Standing", value: standings[actor.standing] },
  ];
}

const standings = {
  member: "full member",
  guest: "guest",
  bot: "bot",
  deleted: "deactivated",
  external: "of another organisation",
} as const;
