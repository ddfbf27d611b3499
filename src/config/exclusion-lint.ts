import { type ApprovalRule, approvalFor } from "../permissions/approval.ts";
import type { PermissionRequest } from "../permissions/decide.ts";
import type { Policy } from "../permissions/policy.ts";
import type { LintFinding } from "./lint.ts";
import type { ResourceGroup } from "./settings.ts";

const making = "CreateActionExclusion";
const modifying = "ModifyActionExclusion";

/** Roles that limit how exclusions are made and say nothing of how they are modified: another role of the same person may know no limit. */
export function rolesForMakingAlone({ roles }: Policy): readonly LintFinding[] {
  return roles
    .filter(({ operations }) => operations.has(making) && !operations.has(modifying))
    .map(({ name }) => ({
      path: ["permissions", "roles", name, "allow"],
      verdict: "warning",
      message: `it covers making exclusions (${making}) but not modifying them (${modifying}): its conditions do not hold for what another role lets the same people extend or edit`,
    }));
}

/** `requests`: those that the rule applies to for making one, of which modifying it the same way needs no approval by any rule. */
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
  return [{ path: [...path, "operations"], verdict: "warning", message }];
}

/** Groups that place the same resource differently: it can be excluded only by those who may for each of them. */
export function groupsThatDisagree(groups: Readonly<Record<string, ResourceGroup>>): readonly LintFinding[] {
  const first = new Map<string, readonly [string, ResourceGroup]>();
  return Object.entries(groups).flatMap(([name, group]) =>
    group.ids.flatMap((id, index): readonly LintFinding[] => {
      const key = id.toLowerCase();
      const [otherName, other] = first.get(key) ?? [name, group];
      first.set(key, [otherName, other]);
      if (other.project === group.project && other.type === group.type) return [];
      const message = `${id} is ${other.type} of ${other.project} in the group ${otherName}, and ${group.type} of ${group.project} here`;
      return [{ path: ["resourceGroups", name, "ids", index], verdict: "warning", message }];
    }),
  );
}
