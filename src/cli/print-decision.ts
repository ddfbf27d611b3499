import type { ReadSettings } from "../config/read-settings.ts";
import { type Actor, isProgram } from "../permissions/actor.ts";
import { approvalsFor } from "../permissions/approval-rules.ts";
import { budgetApprovals } from "../permissions/budgets.ts";
import { setsExclusionLength } from "../permissions/conditions.ts";
import { askingFor, type Decision, decide, limitsHeld } from "../permissions/decide.ts";
import type { WeekOfHours } from "../permissions/held-time.ts";
import { type ApprovalRule, type Policy, rolesHeld } from "../permissions/policy.ts";
import { type Required, requiredFor } from "../permissions/requirements.ts";
import { formatDuration } from "../time/duration.ts";
import type { Question } from "./read-arguments.ts";

/** The permissions' decision on the question, as lines. Slack is not asked. */
export function printDecision(
  { settings: { policy, require, exclusions, resourceGroups }, placeOf }: Pick<ReadSettings, "settings" | "placeOf">,
  question: Question,
  imports: readonly string[] | undefined,
): { readonly isAllowed: boolean; readonly lines: readonly string[] } {
  const actor = actorOf(question);
  const { operation, channel = null, project: projectId, length } = question;
  const request = {
    ...{ actor, operation, channelId: channel, projectId, exclusionLengthMs: length, hours: hoursOf(question) },
    ...{ resourceType: question.type, resourceIds: question.machines, isOwn: question.own },
  };
  const isTooLong = length !== undefined && setsExclusionLength(operation) && length > exclusions.maxLengthMs;
  const decision = isTooLong ? tooLong(exclusions.maxLengthMs) : decide(policy, request);
  const budgets = decision.kind === "allowed" ? budgetApprovals(policy, [request]).rules : [];
  const isAllowed = decision.kind === "allowed";
  const approvals = [...(isAllowed ? approvalsFor(policy, [request]) : []), ...budgets];
  const asking = isAllowed ? undefined : askingFor(policy, [request]);
  const withPlace = (rule: string) => {
    const path = pathOf(rule, policy);
    return path ? `${rule}  ${placeOf(path)}` : rule;
  };
  const isImported = Object.values(resourceGroups).some(({ imported }) => imported);
  const lines: readonly (readonly [string, readonly string[]])[] = [
    ["rule", [withPlace(decision.rule)]],
    ["why", decision.kind === "denied" ? [decision.reason] : []],
    ["limits", limitsHeld(policy, request)],
    [
      "approval",
      approvals.map((each) => `of ${several(each)}${each.approvers.join(" or ")} (${withPlace(each.rule)})`),
    ],
    ["takes", isAllowed ? takes(requiredFor(require, operation)) : []],
    ["may ask", asking ? [`${asking.approvers.join(" or ")} (${withPlace(asking.rule)})`] : []],
    ["could do it", couldDo(decision)],
    ["roles", [rolesHeld(policy, actor).join(", ") || "none"]],
    ["taken for", [takenFor(question)]],
    ["imports", isImported ? [importDecides, ...(imports ?? [notRead])] : []],
  ];
  const details = lines.flatMap(([name, values]) => values.map((value) => `  ${name.padEnd(12)}${value}`));
  const verdict = approvals.length > 0 ? "allowed, with an approval" : decision.kind;
  return { isAllowed, lines: [`${verdict}: ${actor.userId} ${operation}`, ...details] };
}

const tooLong = (maxLengthMs: number): Decision => ({
  ...{ kind: "denied", rule: "exclusions.longest", couldDo: [] },
  reason: `An exclusion may last ${formatDuration(maxLengthMs)} at most, for everyone.`,
});

/** The steps of a rule's path in the config; undefined for a rule without one. A role's name may contain dots. */
function pathOf(rule: string, { roles, approvals, budgets }: Policy): readonly PropertyKey[] | undefined {
  if (rule === "exclusions.longest") return ["exclusions", "longest"];
  const budget = budgets.findIndex((each) => each.rule === rule);
  if (budget !== -1) return ["budgets", budget];
  const approval = approvals.findIndex((each) => each.rule === rule);
  if (approval !== -1) return ["approvals", approval];
  for (const { name } of roles) {
    const start = `permissions.roles.${name}.`;
    const rest = rule.startsWith(start) ? rule.slice(start.length) : "";
    if (/^(allow|mayAsk|where\.\w+)$/.test(rest)) return ["permissions", "roles", name, ...rest.split(".")];
  }
  return undefined;
}

/** The requester's hours of this week with what they ask for, as far as the question gives both. */
function hoursOf({ hours, length }: Question): readonly WeekOfHours[] | undefined {
  if (hours === undefined) return undefined;
  return [{ week: "this week", of: undefined, soFarMs: hours, added: length ? [{ from: 0, to: length }] : [] }];
}

/** What a change must say, beside who may make it. */
const takes = ({ reason, ticket }: Required): readonly string[] => [
  ...(reason ? ["a reason"] : []),
  ...(ticket === undefined ? [] : [`a ticket of the form ${ticket}`]),
];

const several = ({ count }: ApprovalRule): string => (count === 1 ? "" : `${count} of `);

function actorOf({ user, groups = [] }: Question): Actor {
  return { teamId: "", userId: user, name: user, timeZone: "UTC", membership: "member", groupIds: groups };
}

const importDecides = "an import decides in which project and group a machine is; here it is where the question says";
const notRead = "there is no database that can be read for imported machines";

const couldDo = (decision: Decision): readonly string[] =>
  decision.kind === "denied" ? decision.couldDo.map(({ role, members }) => `${role} (${members.join(", ")})`) : [];

/** The assumptions about facts that only Slack knows. */
function takenFor({ user, groups }: Question): string {
  if (isProgram(user)) return "a pipeline: it has the one role that callers gives it";
  const of = groups ? `of the user groups ${groups.join(", ")}` : "of no user group (--groups gives them)";
  return `a full member, ${of}; Slack was not asked`;
}
