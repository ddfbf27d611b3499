import { type OperationName, operations } from "../service/operations.ts";
import { limitsOf } from "./conditions.ts";
import { type Loosening, list, named } from "./loosened-roles.ts";
import type { Policy, Role } from "./policy.ts";

/**
 * What members of roles may ask others to allow under `next`, and not under `old`. One former role must have let each of them ask each of
 * the same people, or do it without any limit.
 */
export function loosenedAsking(next: Policy, old: Policy): readonly Loosening[] {
  return next.roles.flatMap(({ name, members, mayAsk }) => {
    if (!mayAsk) return [];
    const asked = membersOf(next, mayAsk.approvers);
    const isCovered = (member: string, operation: OperationName) =>
      old.roles.some((role) => role.members.has(member) && covers(role, operation, asked, old));
    const added = [...mayAsk.operations].filter(
      (operation) =>
        operations[operation].effect !== "read" && ![...members].every((member) => isCovered(member, operation)),
    );
    if (added.length === 0) return [];
    const text = `As “${name}”, ${list([...members])} may ask ${list(mayAsk.approvers)} to allow ${list(added)}.`;
    return [{ path: `permissions.roles.${name}.mayAsk`, text }];
  });
}

function covers(role: Role, operation: OperationName, asked: readonly string[], old: Policy): boolean {
  if (role.operations.has(operation) && limitsOf(role, operation).length === 0) return true;
  if (!role.mayAsk?.operations.has(operation)) return false;
  const before = new Set(membersOf(old, role.mayAsk.approvers));
  return asked.every((id) => before.has(id));
}

const membersOf = (policy: Policy, roles: readonly string[]): readonly string[] =>
  roles.flatMap((role) => [...(named(policy, role)?.members ?? [])]);
