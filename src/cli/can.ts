import type { ReadSettings } from "../config/read-settings.ts";
import { withMachines } from "../config/with-machines.ts";
import { type Actor, isProgram } from "../permissions/actor.ts";
import { approvalsFor } from "../permissions/approval-rules.ts";
import { budgetApprovals } from "../permissions/budgets.ts";
import { type PermissionRequest, setsExclusionLength } from "../permissions/conditions.ts";
import { list } from "../permissions/config-values.ts";
import { askingFor, type Decision, decide, limitsHeld } from "../permissions/decide.ts";
import type { WeekOfHours } from "../permissions/held-time.ts";
import { type ApprovalRule, type Policy, rolesHeld } from "../permissions/policy.ts";
import { type Required, requiredFor } from "../permissions/requirements.ts";
import { accountOf, inAccount, inAccountOf, mainAccount, unknownAccount } from "../service/account-ids.ts";
import { formatDuration } from "../time/duration.ts";
import { groupBy } from "../time/group-by.ts";
import type { ImportedEntries } from "./directory-command.ts";
import { type Around, print } from "./process-env.ts";
import type { Question } from "./read-arguments.ts";

const deniedCode = 3;

interface Imports {
  /** Whether an import fills groups of the file. */
  readonly isImported: boolean;
  /** Undefined where the database was not read. */
  readonly known: ImportedEntries | undefined;
  /** What is wrong with what was imported for the file's groups. */
  readonly imports: readonly string[] | undefined;
}

type Read = Pick<ReadSettings, "settings" | "placeOf">;

/** Prints the permissions' decision on the question, and gives the exit code. Slack is not asked. */
export function printDecision(
  { settings: ofFile, placeOf }: Read,
  question: Question,
  { isImported, known, imports }: Imports,
  around: Around,
): number {
  const wrong = accountProblems(question, ofFile);
  if (wrong.length > 0) return print(["Curfew cannot answer this:", ...wrong], around.errorOutput, 1);
  const { policy, require, exclusions } = withMachines(ofFile, known?.machines ?? []);
  const actor = actorOf(question);
  const { operation, channel = null, project: projectId, machines, length } = question;
  const request = {
    ...{ actor, operation, channelId: channel, projectId, exclusionLengthMs: length, hours: hoursOf(question) },
    ...{ resourceType: question.type, isOwn: question.own, account: question.account },
    resourceIds: projectId && machines ? inAccountOf(projectId, machines) : machines,
  };
  const isTooLong = length !== undefined && setsExclusionLength(operation) && length > exclusions.maxLengthMs;
  const decision = isTooLong ? tooLong(exclusions.maxLengthMs) : decide(policy, request);
  const isAllowed = decision.kind === "allowed";
  const { sure, perhaps } = isAllowed ? approvals(policy, request) : none;
  const asking = isAllowed ? undefined : askingFor(policy, [request]);
  const withPlace = (rule: string) => {
    const path = pathOf(rule, policy);
    return path ? `${rule}  ${placeOf(path)}` : rule;
  };
  const needs = (rules: readonly ApprovalRule[]) =>
    [...groupBy(rules, approversOf)].map(([of, same]) => `${of} (${list(same.map(({ rule }) => withPlace(rule)))})`);
  const dependsOn = [...new Set(perhaps.flatMap((rule) => leftOutFor(rule.rule, policy, request)))];
  const lines: readonly (readonly [string, readonly string[]])[] = [
    ["rule", [withPlace(decision.rule)]],
    ["why", decision.kind === "denied" ? [decision.reason] : []],
    ["limits", firstOf(limitsHeld(policy, request))],
    ["approval", needs(sure)],
    ["perhaps", needs(perhaps).map((each) => `an approval ${each}`)],
    ["depends on", dependsOn.length > 0 ? [`${dependsOn.join(", ")}, which the question does not give`] : []],
    ["takes", isAllowed ? takes(requiredFor(require, operation)) : []],
    ["may ask", asking ? [`${asking.approvers.join(" or ")} (${withPlace(asking.rule)})`] : []],
    ["could do it", firstOf(couldDo(decision))],
    ["roles", [rolesHeld(policy, actor).join(", ") || "none"]],
    ["taken for", [takenFor(question)]],
    ["imports", isImported ? [importDecides, ...(imports ?? [notRead])] : []],
    ["but see", unknownProject(question, ofFile, known)],
  ];
  const details = lines.flatMap(([name, values]) => values.map((value) => `  ${name.padEnd(12)}${value}`));
  const withApproval = sure.length > 0 ? ", with an approval" : perhaps.length > 0 ? ", perhaps with an approval" : "";
  const verdict = `${decision.kind}${withApproval}: ${actor.userId} ${operation}`;
  return print([verdict, ...details], around.output, isAllowed ? 0 : deniedCode);
}

/** What stands before ids must be one account, and one that the config names. */
function accountProblems({ account, project, machines = [] }: Question, { accounts }: Read["settings"]) {
  const place = project ?? inAccount(account ?? mainAccount, "…");
  const ids = [...(project ? [project] : []), ...inAccountOf(place, machines)];
  const unknown = [...new Set([place, ...ids])].flatMap((id) => unknownAccount(id, accounts) ?? []);
  if (unknown.length > 0) return unknown;
  const named = new Set([...ids.map(accountOf), ...(account === undefined ? [] : [account])]);
  if (named.size <= 1) return [];
  return [`${list(ids)}: these are in the accounts ${[...named].join(" and ")}, and a change is in one`];
}

/** A mistyped project is in no rule. Nothing is said where nobody listed projects. */
function unknownProject(
  { project }: Question,
  { directory, resourceGroups }: Read["settings"],
  known?: ImportedEntries,
) {
  const listed = [...directory.projects.map(({ id }) => id), ...(known?.projects ?? [])];
  const all = [...listed, ...Object.values(resourceGroups).map((group) => group.project)];
  if (project === undefined || listed.length === 0 || all.includes(project)) return [];
  return [`Curfew has not heard of the project ${project}: is it the id, and no name?`];
}

/** The approvals that a change takes, and those that it takes only for some value of what the question leaves out. */
function approvals(policy: Policy, request: PermissionRequest) {
  const needed = [...approvalsFor(policy, [request]), ...budgetApprovals(policy, [request]).rules];
  const perhaps = needed.filter(({ rule }) => leftOutFor(rule, policy, request).length > 0);
  // Without those, a later rule of the file may apply to it.
  const others = policy.approvals.filter(({ rule }) => perhaps.every((each) => each.rule !== rule));
  const later = approvalsFor({ ...policy, approvals: others }, [request]);
  const sure = new Set([...needed.filter((each) => !perhaps.includes(each)), ...later]);
  const isSure = (each: ApprovalRule) => leftOutFor(each.rule, policy, request).length === 0;
  return { perhaps, sure: [...sure].filter(isSure) };
}
const none = { perhaps: [], sure: [] };

/** The options that would tell whether a rule applies. */
function leftOutFor(rule: string, { approvals, budgets }: Policy, request: PermissionRequest): readonly string[] {
  const { projectId, resourceType, resourceIds, exclusionLengthMs, hours } = request;
  const budget = budgets.find((each) => each.rule === rule);
  const when = approvals.find((each) => each.rule === rule)?.when;
  const { accounts, projects, groups } = budget ?? when ?? {};
  const options: Readonly<Record<string, unknown>> = {
    ...(accounts || projects || groups ? { "--project": projectId } : {}),
    ...(groups || when?.resourceTypes ? { "--type": resourceType } : {}),
    ...(groups ? { "--machines": resourceIds } : {}),
    ...(when?.longerThanMs === undefined ? {} : { "--length": exclusionLengthMs }),
    ...(budget ? { "--hours": hours } : {}),
  };
  return Object.keys(options).filter((option) => options[option] === undefined);
}

const approversOf = ({ approvers, count }: ApprovalRule): string =>
  `of ${count === 1 ? "" : `${count} of `}${approvers.join(" or ")}`;

const maxLines = 8;

const firstOf = (lines: readonly string[]): readonly string[] =>
  lines.length > maxLines ? [...lines.slice(0, maxLines), `and ${lines.length - maxLines} more`] : lines;

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
