import { identityRule, identityRuleLeft, takesOver } from "../permissions/account-care.ts";
import { isGroupId } from "../permissions/actor.ts";
import { canBeApproved, holdersNamed } from "../permissions/approval-rules.ts";
import { list } from "../permissions/loosened-roles.ts";
import type { ApprovalRule, Policy } from "../permissions/policy.ts";
import { operations } from "../service/operations.ts";
import { error, type LintFinding, warning } from "./lint-finding.ts";

/** Whether those who may ask for what the rule is for can get its approval. User groups count as enough. */
export function lintApprovers(
  policy: Policy,
  rule: ApprovalRule,
  path: readonly PropertyKey[],
): readonly LintFinding[] {
  const { approvers, count } = rule;
  const at = [...path, "approvers"];
  // Nobody has the empty id, so nobody is left out.
  if (!canBeApproved(policy, rule, "")) {
    const members = membersOf(policy, approvers);
    return [
      error(at, `${count} must approve, and there ${members.size === 1 ? "is" : "are"} ${members.size || "none"}`),
    ];
  }
  const requesters = new Set(
    policy.roles
      .filter((role) =>
        [...rule.operations].some((name) => operations[name].effect !== "read" && role.operations.has(name)),
      )
      .flatMap(({ members, programs }) => [...members, ...programs]),
  );
  if (requesters.size === 0) return [warning([...path, "operations"], "nobody has a role that allows any of them")];
  // A user group is several people, who may approve each other's changes.
  const stuck = [...requesters].filter((id) => !isGroupId(id) && !canBeApproved(policy, rule, id));
  if (stuck.length === requesters.size)
    return [error(at, "everyone who may ask is needed as an approver, and nobody approves their own change")];
  const message = `too few could approve what ${list(stuck)} may ask for, since nobody approves their own change: name more approvers`;
  return stuck.length > 0 ? [warning(at, message)] : [];
}

/** The approvers of `identity`, and whether two of them can approve a pair of changes. */
export function lintIdentity(policy: Policy): readonly LintFinding[] {
  const rule = identityRule(policy);
  if (!rule) return [];
  const left = identityRuleLeft(policy);
  const found = left ? lintApprovers(policy, left, ["identity"]) : [];
  if (policy.identity?.coolOffMs === 0 || found.some(({ verdict }) => verdict === "error")) return found;
  const pair = [...rule.operations].filter(takesOver);
  const few = pair.filter((operation) => {
    const first = policy.approvals.find(({ operations: named }) => named.has(operation)) ?? rule;
    return !canBeApproved(policy, { ...first, count: 2 }, "");
  });
  const message = `one account's address and MFA take two different approvers within coolOff, and ${list(few)} can have one`;
  return few.length > 0 ? [...found, warning(["identity", "coolOff"], message)] : found;
}

const membersOf = (policy: Policy, roles: readonly string[]): ReadonlySet<string> =>
  new Set(holdersNamed(policy, roles).flatMap(({ members }) => members));
