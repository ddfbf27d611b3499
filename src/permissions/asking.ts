import { type OperationName, operations } from "../service/operations.ts";
import { type Actor, isGroupId } from "./actor.ts";
import { budgetsExceeded } from "./budgets.ts";
import { type PermissionRequest, unmetConditions } from "./conditions.ts";
import { ofAnother } from "./decide.ts";
import { type ApprovalRule, holdsRole, type Policy, type Role } from "./policy.ts";

/** How long a request to be allowed something stands, as an approval does without `expires`. */
const standsMs = 4 * 3_600_000;

/** The actor's roles that let them ask others for an operation; none for anyone but a full member. */
export function rolesForAsking({ roles }: Policy, actor: Actor, operation: OperationName): readonly Role[] {
  if (operations[operation].effect === "read") return [];
  return roles.filter((role) => role.mayAsk?.operations.has(operation) && holdsRole(actor, role));
}

/**
 * Whom the actor may ask to allow all of these requests, as an approval; undefined where their roles name nobody who could. The
 * requests are of one change, so they have the same actor and operation.
 */
export function askingFor(policy: Policy, requests: readonly PermissionRequest[]): ApprovalRule | undefined {
  const [first] = requests;
  if (!first) return undefined;
  const { actor, operation } = first;
  const held = rolesForAsking(policy, actor, operation);
  const named = new Set(held.flatMap(({ mayAsk }) => mayAsk?.approvers ?? []));
  // A budget that refuses holds for whoever allows it, too.
  const isOver = requests.some((each) => budgetsExceeded(policy, { ...each, ...ofAnother(each) }, "refuse").length > 0);
  const approvers = policy.roles.filter(
    (role) => !isOver && named.has(role.name) && couldAllow(policy, role, requests),
  );
  if (approvers.length === 0) return undefined;
  return {
    rule: held.map(({ name }) => `permissions.roles.${name}.mayAsk`).join(" and "),
    operations: new Set([operation]),
    approvers: approvers.map(({ name }) => name),
    ...{ count: 1, expiresMs: standsMs, when: { longerThanMs: undefined } },
  };
}

/** Whether somebody in the role, who is not the requester, may hold the right for all requests. Their channels do not matter. */
function couldAllow(policy: Policy, approvers: Role, requests: readonly PermissionRequest[]): boolean {
  return requests.every((request) =>
    (policy.rolesFor.get(request.operation) ?? []).some((role) => {
      // What they hold themselves is looked at when they decide.
      const unmet = unmetConditions(role, { ...request, isOwn: false, ...ofAnother(request) });
      return unmet.every(({ name }) => name === "channels") && mayShareMember(approvers, role, request.actor.userId);
    }),
  );
}

/** Whether somebody else than this person may hold both roles. The members of a user group are unknown. */
export function mayShareMember(one: Role, other: Role, exceptId?: string): boolean {
  const [some, others] = [one, other].map(({ members }) => [...members].filter((id) => id !== exceptId));
  if (!some?.length || !others?.length) return false;
  return [...some, ...others].some(isGroupId) || some.some((id) => others.includes(id));
}
