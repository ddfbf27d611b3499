import { approvalFor } from "../permissions/approval-rules.ts";
import type { PermissionRequest } from "../permissions/permission-request.ts";
import type { ApprovalRule, Policy } from "../permissions/policy.ts";
import type { Requirement } from "../permissions/requirements.ts";
import { exclusionOperations, type OperationName } from "../service/operations.ts";
import { type LintFinding, warning } from "./lint-finding.ts";
import type { ResourceGroup } from "./settings.ts";

const { make: making, modify: modifying } = exclusionOperations;

/** Roles that limit creating exclusions and not modifying them: another role of the same person may modify them without a limit. */
export function rolesForMakingAlone({ roles }: Policy): readonly LintFinding[] {
  return roles
    .filter(({ operations }) => operations.has(making) && !operations.has(modifying))
    .map(({ name }) =>
      warning(
        ["permissions", "roles", name, "allow"],
        `it covers making exclusions (${making}) but not modifying them (${modifying}): its conditions do not hold for what another role lets the same people extend or edit`,
      ),
    );
}

/** An approval rule for creating exclusions, where modifying one the same way needs no approval. `requests`: those it applies to. */
export function approvalForMakingAlone(
  policy: Policy,
  { operations }: ApprovalRule,
  requests: readonly PermissionRequest[],
  path: readonly PropertyKey[],
): readonly LintFinding[] {
  if (!operations.has(making) || operations.has(modifying)) return [];
  const isCovered = requests
    .filter(({ operation }) => operation === making)
    .every((request) => approvalFor(policy, { ...request, operation: modifying }) !== undefined);
  if (isCovered) return [];
  const message = `it covers making exclusions (${making}) but not modifying them (${modifying}): only an extension or an edit that makes one hold back more needs this approval`;
  return [warning([...path, "operations"], message)];
}

/** A reason or a ticket for creating exclusions, where extending one needs none. */
export function requirementForMakingAlone(
  require: readonly Requirement[],
  names: ReadonlySet<OperationName>,
  path: readonly PropertyKey[],
): readonly LintFinding[] {
  if (!names.has(making) || require.some(({ operations }) => operations.has(modifying))) return [];
  return [warning(path, `it covers making exclusions (${making}) but not modifying them (${modifying})`)];
}

/** Groups that disagree on a resource's type or project. Excluding it takes the right for each of them. */
export function groupsThatDisagree(groups: Readonly<Record<string, ResourceGroup>>): readonly LintFinding[] {
  const first = new Map<string, readonly [string, ResourceGroup]>();
  return Object.entries(groups).flatMap(([name, group]) =>
    group.ids.flatMap((id, index): readonly LintFinding[] => {
      const key = id.toLowerCase();
      const [otherName, other] = first.get(key) ?? [name, group];
      first.set(key, [otherName, other]);
      if (other.project === group.project && other.type === group.type) return [];
      const message = `${id} is ${other.type} of ${other.project} in the group ${otherName}, and ${group.type} of ${group.project} here`;
      return [warning(["resourceGroups", name, "ids", index], message)];
    }),
  );
}
