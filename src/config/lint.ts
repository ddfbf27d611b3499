import { accountOperations } from "../permissions/account-care.ts";
import type { Actor } from "../permissions/actor.ts";
import { approvalFor } from "../permissions/approval-rules.ts";
import { setsExclusionLength } from "../permissions/conditions.ts";
import type { ApprovalRule, Role } from "../permissions/policy.ts";
import { operations } from "../service/operations.ts";
import { maxResources } from "../service/resources.ts";
import { formatDuration } from "../time/duration.ts";
import { lintApprovers, lintIdentity } from "./approver-lint.ts";
import { lintAsking } from "./asking-lint.ts";
import { lintBudgets } from "./budget-lint.ts";
import { lintCallers } from "./callers-lint.ts";
import {
  approvalForMakingAlone,
  groupsThatDisagree,
  requirementForMakingAlone,
  rolesForMakingAlone,
} from "./exclusion-lint.ts";
import { error, type LintFinding, warning } from "./lint-finding.ts";
import { lintProjects } from "./project-lint.ts";
import type { Settings } from "./settings.ts";
import { lintWarnings } from "./warning-lint.ts";
import { lintWorkflows } from "./workflow-lint.ts";

export function lintSettings(settings: Settings): readonly LintFinding[] {
  return [
    ...lintRoles(settings),
    ...lintAsking(settings.policy),
    ...rolesForMakingAlone(settings.policy),
    ...settings.policy.approvals.flatMap((rule, index) => lintApproval(settings, rule, index)),
    ...lintBudgets(settings),
    ...lintIdentity(settings.policy),
    ...lintAnnouncements(settings),
    ...lintRequirements(settings),
    ...lintReminder(settings),
    ...lintProjects(settings),
    ...lintGroups(settings),
    ...lintCallers(settings),
    ...lintWarnings(settings),
    ...lintWorkflows(settings),
    ...groupsThatDisagree(settings.resourceGroups),
  ];
}

function lintRoles({ policy }: Settings): readonly LintFinding[] {
  const roles = ["permissions", "roles"];
  if (policy.roles.length === 0) return [warning(roles, "there is no role, so nobody can do anything")];
  return policy.roles.flatMap((role) => [
    ...(role.members.size + role.programs.size === 0
      ? [warning([...roles, role.name, "members"], "nobody has this role")]
      : []),
    ...impossibleConditions(role).map((name) =>
      error(
        [...roles, role.name, "where", name],
        "users have none, and the role is only about users: it allows nothing",
      ),
    ),
  ]);
}

/** Conditions that no user can meet: a user has no project and no resource type, and nobody creates one through Curfew. */
function impossibleConditions({ operations: allowed, where }: Role): readonly string[] {
  if (![...allowed].every((name) => accountOperations.has(name))) return [];
  const { projects, resourceTypes, own } = where;
  return Object.entries({ projects, resourceTypes, own }).flatMap(([name, condition]) => (condition ? [name] : []));
}

function lintApproval(settings: Settings, rule: ApprovalRule, index: number): readonly LintFinding[] {
  const path = ["approvals", index];
  const { longerThanMs } = rule.when;
  const changing = [...rule.operations].filter((name) => operations[name].effect !== "read");
  if (changing.length === 0) return [error([...path, "operations"], "only reads, which never need an approval")];
  if (longerThanMs !== undefined && !changing.some(setsExclusionLength))
    return [error([...path, "when", "longerThan"], "none of these operations says how long an exclusion lasts")];
  const before = shadowingRules(settings, rule);
  if (before.length > 0) return [error(path, `it never applies: ${before.join(" and ")} always applies first`)];
  const { maxLengthMs } = settings.exclusions;
  return [
    ...lintApprovers(settings.policy, rule, path),
    ...approvalForMakingAlone(settings.policy, rule, requestsOf(rule), path),
    ...(longerThanMs !== undefined && longerThanMs >= maxLengthMs
      ? [
          warning(
            [...path, "when", "longerThan"],
            `nothing is longer than exclusions.longest, ${formatDuration(maxLengthMs)}`,
          ),
        ]
      : []),
  ];
}

/** The rules that apply before this one to everything it covers; none when it applies to something. */
function shadowingRules({ policy }: Settings, rule: ApprovalRule): readonly string[] {
  const first = requestsOf(rule).map((request) => approvalFor(policy, request)?.rule);
  return first.includes(rule.rule) ? [] : [...new Set(first)].flatMap((found) => found ?? []);
}

/** The requests of a rule that the fewest other rules apply to: every fact is known, and the exclusion is just long enough. */
function requestsOf({ operations: names, when }: ApprovalRule) {
  const { projects = [unnamed], resourceTypes = [unnamed], longerThanMs = 0 } = when;
  return [...names].flatMap((operation) =>
    [...projects].flatMap((projectId) =>
      [...resourceTypes].map((resourceType) => ({
        ...{ actor: anybody, operation, channelId: null, projectId, resourceType },
        exclusionLengthMs: longerThanMs + 1,
      })),
    ),
  );
}

/** A project, or a resource type, that no rule names. */
const unnamed = "\0";
const anybody: Actor = { teamId: "", userId: "", name: "", timeZone: "UTC", membership: "member", groupIds: [] };

function lintAnnouncements({ announce }: Settings): readonly LintFinding[] {
  return announce.flatMap(({ operations: announced, isElsewhere, channel }, index) => {
    const changing = [...announced].filter((name) => operations[name].effect !== "read");
    if (changing.length === 0 && !isElsewhere)
      return [error(["announce", index, "operations"], "only reads, which are never announced")];
    const same = announce
      .slice(0, index)
      .findIndex(
        (other) =>
          other.channel === channel &&
          changing.every((name) => other.operations.has(name)) &&
          (other.isElsewhere || !isElsewhere),
      );
    return same === -1
      ? []
      : [warning(["announce", index], `announce.${same} announces all of it in this channel already`)];
  });
}

function lintRequirements({ require, ticketUrl, policy }: Settings): readonly LintFinding[] {
  const found = require.flatMap(({ operations: names, ticket }, index): readonly LintFinding[] => {
    const path = ["require", index];
    const changing = [...names].filter((name) => operations[name].effect !== "read");
    if (changing.length === 0)
      return [error([...path, "operations"], "only reads, which never need a reason or a ticket")];
    const earlier = require.slice(0, index).filter((each) => each.ticket !== undefined);
    const shadowed =
      ticket !== undefined && changing.every((name) => earlier.some((each) => each.operations.has(name)));
    if (shadowed)
      return [error([...path, "ticket"], "it never applies: earlier entries say the form of these tickets")];
    const isHeld = policy.roles.some((role) => changing.some((name) => role.operations.has(name)));
    return [
      ...(isHeld ? [] : [warning([...path, "operations"], "nobody has a role that allows any of them")]),
      ...requirementForMakingAlone(require, names, [...path, "operations"]),
    ];
  });
  const isUnused = ticketUrl !== undefined && require.every(({ ticket }) => ticket === undefined);
  return [...found, ...(isUnused ? [warning(["ticketUrl"], "no entry of require asks for a ticket")] : [])];
}

/** The actions of groups are unknown here: `doctor` compares them with the service. */
function lintGroups({ resourceGroups }: Settings): readonly LintFinding[] {
  return Object.entries(resourceGroups)
    .filter(([, { ids }]) => ids.length > maxResources)
    .map(([name, { ids }]) =>
      error(
        ["resourceGroups", name, "ids"],
        `${ids.length} resources, and a request may name at most ${maxResources}: nobody can use this group`,
      ),
    );
}

function lintReminder({ exclusions: { warnMs, defaultMs, maxLengthMs } }: Settings): readonly LintFinding[] {
  if (warnMs < maxLengthMs && warnMs <= defaultMs) return [];
  const [name, ms] = warnMs >= maxLengthMs ? (["longest", maxLengthMs] as const) : (["default", defaultMs] as const);
  const lengths = `${formatDuration(warnMs)} before the end, and exclusions.${name} is ${formatDuration(ms)}`;
  return [warning(["exclusions", "warn"], `${lengths}: most reminders come halfway through instead`)];
}
