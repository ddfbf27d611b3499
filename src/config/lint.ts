import type { Actor } from "../permissions/actor.ts";
import { approvalFor, canBeApproved, holdersNamed } from "../permissions/approval-rules.ts";
import { setsExclusionLength } from "../permissions/conditions.ts";
import type { ApprovalRule, Role } from "../permissions/policy.ts";
import { operations } from "../service/operations.ts";
import { formatDuration } from "../time/duration.ts";
import { lintAsking } from "./asking-lint.ts";
import { approvalForMakingAlone, groupsThatDisagree, rolesForMakingAlone } from "./exclusion-lint.ts";
import { error, type LintFinding, warning } from "./lint-finding.ts";
import type { Settings } from "./settings.ts";

export function lintSettings(settings: Settings): readonly LintFinding[] {
  return [
    ...lintRoles(settings),
    ...lintAsking(settings.policy),
    ...rolesForMakingAlone(settings.policy),
    ...settings.policy.approvals.flatMap((rule, index) => lintApproval(settings, rule, index)),
    ...lintAnnouncements(settings),
    ...lintReminder(settings),
    ...lintChannels(settings),
    ...groupsThatDisagree(settings.resourceGroups),
  ];
}

function lintRoles({ policy }: Settings): readonly LintFinding[] {
  const roles = ["permissions", "roles"];
  if (policy.roles.length === 0) return [warning(roles, "there is no role, so nobody can do anything")];
  return policy.roles.flatMap((role) => [
    ...(role.members.size === 0 ? [warning([...roles, role.name, "members"], "nobody has this role")] : []),
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
  if (![...allowed].every((name) => "altersAccount" in operations[name])) return [];
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
    ...lintApprovers(settings, rule, path),
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

function lintApprovers({ policy }: Settings, rule: ApprovalRule, path: readonly PropertyKey[]): readonly LintFinding[] {
  const { approvers, count } = rule;
  const at = [...path, "approvers"];
  // Nobody has the empty id, so nobody is left out.
  if (!canBeApproved(policy, rule, "")) {
    const members = new Set(holdersNamed(policy, approvers).flatMap((holder) => holder.members));
    return [
      error(at, `${count} must approve, and there ${members.size === 1 ? "is" : "are"} ${members.size || "none"}`),
    ];
  }
  const requesters = policy.roles
    .filter((role) =>
      [...rule.operations].some((name) => operations[name].effect !== "read" && role.operations.has(name)),
    )
    .flatMap(({ members }) => [...members]);
  if (requesters.length === 0) return [warning([...path, "operations"], "nobody has a role that allows any of them")];
  // A user group is several people, who may approve each other's changes.
  return requesters.some((id) => id.startsWith("S") || canBeApproved(policy, rule, id))
    ? []
    : [error(at, "everyone who may ask is needed as an approver, and nobody approves their own change")];
}

function lintAnnouncements({ announce }: Settings): readonly LintFinding[] {
  return announce.flatMap(({ operations: announced, channel }, index) => {
    const changing = [...announced].filter((name) => operations[name].effect !== "read");
    if (changing.length === 0)
      return [error(["announce", index, "operations"], "only reads, which are never announced")];
    const same = announce
      .slice(0, index)
      .findIndex((other) => other.channel === channel && changing.every((name) => other.operations.has(name)));
    return same === -1
      ? []
      : [warning(["announce", index], `announce.${same} announces all of it in this channel already`)];
  });
}

/** Only where the file lists the projects. The actions of groups are unknown here: `doctor` compares them with the service. */
function lintChannels({ channels, directory: { projects } }: Settings): readonly LintFinding[] {
  if (projects.length === 0) return [];
  return Object.entries(channels).flatMap(([id, { project }]) =>
    project === undefined || projects.some((known) => known.id === project)
      ? []
      : [warning(["channels", id, "project"], `directory.projects does not list a project with the id ${project}`)],
  );
}

function lintReminder({ exclusions: { warnMs, defaultMs, maxLengthMs } }: Settings): readonly LintFinding[] {
  if (warnMs < maxLengthMs && warnMs <= defaultMs) return [];
  const [name, ms] = warnMs >= maxLengthMs ? (["longest", maxLengthMs] as const) : (["default", defaultMs] as const);
  const lengths = `${formatDuration(warnMs)} before the end, and exclusions.${name} is ${formatDuration(ms)}`;
  return [warning(["exclusions", "warn"], `${lengths}: most reminders come halfway through instead`)];
}
