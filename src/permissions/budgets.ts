import { exclusionOperations } from "../service/operations.ts";
import type { Actor } from "./actor.ts";
import { groupWords, mayBeOfGroups, mayBeWithin, type PermissionRequest, setsExclusionLength } from "./conditions.ts";
import { comesTo, furthestOver, type WeekOfHours } from "./held-time.ts";
import { type ApprovalRule, type Budget, holdsRole, type Policy } from "./policy.ts";

type Asked = Pick<PermissionRequest, "operation" | "projectId" | "resourceType" | "resourceIds" | "hours">;

/** The budgets that a request counts against. An unknown project counts, and so do unknown machines. */
export function budgetsFor({ budgets }: Policy, request: Asked): readonly Budget[] {
  return setsExclusionLength(request.operation) ? budgets.filter((budget) => mayBeWithin(budget, request)) : [];
}

/** The hours of a request that a budget counts: of its machines, where the request also names others. */
export const hoursIn = ({ groups }: Budget, asked: Omit<Asked, "operation">): Asked["hours"] =>
  asked.hours?.filter(({ of }) => of === undefined || mayBeOfGroups(groups, { ...asked, resourceIds: [of] }));

/** Those that it goes beyond. Unknown hours count as beyond. */
export function budgetsExceeded(policy: Policy, request: Asked, then: Budget["then"]): readonly Budget[] {
  return budgetsFor(policy, request).filter((budget) => {
    const hours = hoursIn(budget, request);
    return budget.then === then && (hours === undefined || furthestOver(hours, budget.weeklyHours) !== undefined);
  });
}

/** Whether a rule in force may count the hours of a change by this operation. */
export const mayCountHours = ({ budgets, roles }: Policy, operation: string): boolean =>
  Object.values<string>(exclusionOperations).includes(operation) &&
  (budgets.length > 0 || roles.some(({ where }) => where.weeklyHours !== undefined));

/** Whether a rule in force needs to know the hours. Else they are not looked up. */
export function countsHours(policy: Policy, actor: Actor, requests: readonly Asked[]): boolean {
  return requests.some(
    (request) =>
      setsExclusionLength(request.operation) &&
      (budgetsFor(policy, request).length > 0 || roleLimits(policy, actor, request).length > 0),
  );
}

const roleLimits = ({ rolesFor }: Policy, actor: Actor, { operation }: Asked): readonly number[] =>
  (rolesFor.get(operation) ?? []).flatMap((role) => (holdsRole(actor, role) ? (role.where.weeklyHours ?? []) : []));

/** The approval that a budget asks for, as a rule. */
export function budgetRule(budget: Extract<Budget, { then: "approval" }>): ApprovalRule {
  const { rule, approvers, count, expiresMs, channel } = budget;
  return {
    ...{ rule, approvers, count, expiresMs, channel, when: { longerThanMs: undefined } },
    operations: new Set(Object.values(exclusionOperations)),
  };
}

/** Every rule that a budget may ask an approval by. */
export const budgetRules = ({ budgets }: Pick<Policy, "budgets">): readonly ApprovalRule[] =>
  budgets.flatMap((budget) => (budget.then === "approval" ? [budgetRule(budget)] : []));

/** The approvals that these requests of one change need, and why, in sentences. */
export function budgetApprovals(
  policy: Policy,
  requests: readonly PermissionRequest[],
): { readonly rules: readonly ApprovalRule[]; readonly because: readonly string[] } {
  const found = requests.flatMap((request) =>
    budgetsExceeded(policy, request, "approval").map((budget) => ({ budget, hours: hoursIn(budget, request) ?? [] })),
  );
  const exceeded = new Set(found.map(({ budget }) => budget));
  const because = found.flatMap(({ budget, hours }) => overWords(hours, budget.weeklyHours));
  return { rules: budgetRules({ budgets: [...exceeded] }), because: [...new Set(because)] };
}

function overWords(hours: readonly WeekOfHours[], limit: number): readonly string[] {
  const over = furthestOver(hours, limit);
  return over ? [comesTo(over, limit)] : [];
}

/** What a request comes to, for each limit that counts it, in sentences. `over`: those that it exceeds. */
export function hoursWords(policy: Policy, requests: readonly PermissionRequest[]) {
  const counted = requests.flatMap((request) => [
    ...budgetsFor(policy, request).map((each) => ({ limit: each.weeklyHours, hours: hoursIn(each, request) ?? [] })),
    ...roleLimits(policy, request.actor, request).map((limit) => ({ limit, hours: request.hours ?? [] })),
  ]);
  const over = counted.flatMap(({ hours, limit }) => overWords(hours, limit));
  const within = counted.flatMap(({ hours, limit }) => hours.slice(0, 1).map((week) => comesTo(week, limit)));
  return { lines: [...new Set(over.length > 0 ? over : within.slice(0, 1))], over: [...new Set(over)] };
}

/** What a budget says and where, for those who ask what applies. */
export const budgetWords = (budget: Budget): string => `${budgetSays(budget)} (${budget.rule})`;

export function budgetSays({ projects, groups, weeklyHours, ...budget }: Budget): string {
  const where = `${projects ? ` in ${[...projects].join(" or ")}` : ""}${groups ? ` of ${groupWords(groups)}` : ""}`;
  const then =
    budget.then === "approval"
      ? `needs an approval of ${budget.approvers.join(" or ")}`
      : budget.then === "refuse"
        ? "is refused"
        : "gets a warning";
  return `more than ${weeklyHours} h of a resource in a week${where} ${then}`;
}
