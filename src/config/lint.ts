import type { Actor } from "../permissions/actor.ts";
import { type ApprovalRule, approvalFor, canBeApproved, holdersNamed } from "../permissions/approval.ts";
import { setsExclusionLength } from "../permissions/conditions.ts";
import type { Role } from "../permissions/policy.ts";
import { type OperationName, operations } from "../service/operations.ts";
import { formatDuration } from "../time/duration.ts";
import { approvalForMakingAlone, groupsThatDisagree, rolesForMakingAlone } from "./exclusion-lint.ts";
import type { Settings } from "./settings.ts";

/**
 * What a config says rightly and yet to no effect. An error is what nobody can mean; a warning may be meant. Neither stops a start
 * or a reload: a rule without effect opens nothing, and a refused reload would keep rights in force that were just taken away.
 */
export interface LintFinding {
  readonly path: readonly PropertyKey[];
  readonly verdict: "error" | "warning";
  readonly message: string;
}

export function lintSettings(settings: Settings): readonly LintFinding[] {
  return [
    ...rolesInDoubt(settings),
    ...rolesForMakingAlone(settings.policy),
    ...settings.policy.approvals.flatMap((rule, index) => approvalInDoubt(settings, rule, index)),
    ...announceInDoubt(settings),
    ...warnInDoubt(settings),
    ...groupsThatDisagree(settings.resourceGroups),
  ];
}

const error = (path: readonly PropertyKey[], message: string): LintFinding => ({ path, verdict: "error", message });
const warning = (path: readonly PropertyKey[], message: string): LintFinding => ({ path, verdict: "warning", message });

function rolesInDoubt({ policy }: Settings): readonly LintFinding[] {
  const roles = ["permissions", "roles"];
  if (policy.roles.length === 0) return [warning(roles, "there is no role, so nobody can do anything")];
  return policy.roles.flatMap((role) => [
    ...(role.members.size === 0 ? [warning([...roles, role.name, "members"], "nobody has this role")] : []),
    ...neverHolding(role).map((name) =>
      error(
        [...roles, role.name, "where", name],
        "users have none, and the role is only about users: it allows nothing",
      ),
    ),
  ]);
}

const aboutUsers: readonly OperationName[] = ["ModifyUser", "RemoveUserMfa"];

/** Users are in no project, of no resource type, and created by nobody through Curfew. */
function neverHolding({ operations: allowed, where }: Role): readonly string[] {
  if (![...allowed].every((name) => aboutUsers.includes(name))) return [];
  const { projects, resourceTypes, own } = where;
  return Object.entries({ projects, resourceTypes, own }).flatMap(([name, condition]) => (condition ? [name] : []));
}

function approvalInDoubt(settings: Settings, rule: ApprovalRule, index: number): readonly LintFinding[] {
  const path = ["approvals", index];
  const { longerThanMs } = rule.when;
  const changing = [...rule.operations].filter((name) => operations[name].effect !== "read");
  if (changing.length === 0) return [error([...path, "operations"], "only reads, which never need an approval")];
  if (longerThanMs !== undefined && !changing.some(setsExclusionLength))
    return [error([...path, "when", "longerThan"], "none of these operations says how long an exclusion lasts")];
  const before = rulesBefore(settings, rule);
  if (before.length > 0)
    return [error(path, `its turn never comes: whatever it is for, ${before.join(" and ")} applies first`)];
  const { longestMs } = settings.exclusions;
  return [
    ...approversInDoubt(settings, rule, path),
    ...approvalForMakingAlone(settings.policy, rule, requestsOf(rule), path),
    ...(longerThanMs !== undefined && longerThanMs >= longestMs
      ? [
          warning(
            [...path, "when", "longerThan"],
            `nothing is longer than exclusions.longest, ${formatDuration(longestMs)}`,
          ),
        ]
      : []),
  ];
}

/** The rules that apply first to everything this one could apply to; none when it has its turn somewhere. */
function rulesBefore({ policy }: Settings, rule: ApprovalRule): readonly string[] {
  const first = requestsOf(rule).map((request) => approvalFor(policy, request)?.rule);
  return first.includes(rule.rule) ? [] : [...new Set(first)].flatMap((found) => found ?? []);
}

/** Of all the requests that a rule applies to, those to which the fewest others do: what is named is known, and just long enough. */
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

function approversInDoubt(
  { policy }: Settings,
  rule: ApprovalRule,
  path: readonly PropertyKey[],
): readonly LintFinding[] {
  const { approvers, count } = rule;
  const at = [...path, "approvers"];
  // Nobody has the empty id, so that nobody is left out.
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
  // A user group is not one person: of those in it, each may be approved by another.
  return requesters.some((id) => id.startsWith("S") || canBeApproved(policy, rule, id))
    ? []
    : [error(at, "whoever may ask is needed to approve as well, and nobody approves what they asked for")];
}

function announceInDoubt({ announce }: Settings): readonly LintFinding[] {
  return announce.flatMap(({ operations: told, channel }, index) => {
    const changing = [...told].filter((name) => operations[name].effect !== "read");
    if (changing.length === 0)
      return [error(["announce", index, "operations"], "only reads, which are never announced")];
    const same = announce
      .slice(0, index)
      .findIndex((other) => other.channel === channel && changing.every((name) => other.operations.has(name)));
    return same === -1 ? [] : [warning(["announce", index], `announce.${same} tells this channel all of it already`)];
  });
}

function warnInDoubt({ exclusions: { warnMs, defaultMs, longestMs } }: Settings): readonly LintFinding[] {
  if (warnMs < longestMs && warnMs <= defaultMs) return [];
  const [name, ms] = warnMs >= longestMs ? (["longest", longestMs] as const) : (["default", defaultMs] as const);
  const lengths = `${formatDuration(warnMs)} before the end, and exclusions.${name} is ${formatDuration(ms)}`;
  return [warning(["exclusions", "warn"], `${lengths}: most are reminded of halfway instead`)];
}
