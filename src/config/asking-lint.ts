import { mayShareMember } from "../permissions/asking.ts";
import type { Policy, Role } from "../permissions/policy.ts";
import { type OperationName, operations } from "../service/operations.ts";
import { type LintFinding, warning } from "./lint-finding.ts";

/** What members of a role may ask for without effect: nobody could allow it, or they need not ask. */
export function lintAsking(policy: Policy): readonly LintFinding[] {
  return policy.roles.flatMap((role) => (role.mayAsk ? lintRole(policy, role, role.mayAsk) : []));
}

function lintRole(policy: Policy, role: Role, { operations: asked, approvers }: NonNullable<Role["mayAsk"]>) {
  const path = ["permissions", "roles", role.name, "mayAsk"];
  const changing = [...asked].filter((name) => operations[name].effect !== "read");
  if (changing.length === 0) return [warning([...path, "operations"], "only reads, which nobody can ask for")];
  return approvers.flatMap((name, index): readonly LintFinding[] => {
    const at = [...path, "approvers", index];
    const approver = policy.roles.find((each) => each.name === name);
    if (!approver || approver.members.size === 0) return [warning(at, `nobody has the role ${name}`)];
    if (!isSomebodyElse(role, approver)) return [warning(at, "nobody allows what they asked for themselves")];
    const lacking = changing.filter((operation) => !couldAllow(policy, approver, operation));
    const message = `nobody with the role ${name} may do ${lacking.join(", ")}, and people only allow what they may do themselves`;
    return lacking.length > 0 ? [warning(at, message)] : [];
  });
}

const couldAllow = ({ rolesFor }: Policy, approver: Role, operation: OperationName): boolean =>
  (rolesFor.get(operation) ?? []).some((role) => mayShareMember(role, approver));

/** Whether somebody who may ask can ask somebody else. */
const isSomebodyElse = ({ members }: Role, approver: Role): boolean =>
  members.size === 0 || [...members].some((id) => mayShareMember(approver, approver, id));
