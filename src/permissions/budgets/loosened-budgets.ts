import { holdersNamed } from "../approval-rules.ts";
import { type Loosening, unique } from "../loosened-roles.ts";
import type { Policy } from "../policy.ts";
import type { Budget } from "./budget-schema.ts";

/** Budgets of `old` that `next` raises, softens or drops, for some project. */
export function loosenedBudgets(next: Policy, old: Policy): readonly Loosening[] {
  const named = unique([...next.budgets, ...old.budgets].flatMap(({ projects }) => [...(projects ?? [])]));
  return old.budgets.flatMap((budget) => {
    const places = named.length === 0 ? [anyOther] : [...named, anyOther];
    const left = places.filter(
      (place) => covers(budget, place) && !next.budgets.some((each) => isAsStrict(each, next, budget, old, place)),
    );
    return left.length === 0 ? [] : [{ path: budget.rule, text: inWords(budget) }];
  });
}

/** A project that no budget names. */
const anyOther = "\0";
const covers = ({ projects }: Budget, project: string): boolean => projects?.has(project) ?? true;

const strictness = { warn: 0, approval: 1, refuse: 2 } as const satisfies Record<Budget["then"], number>;

function isAsStrict(now: Budget, next: Policy, before: Budget, old: Policy, project: string): boolean {
  if (!covers(now, project) || now.weeklyHours > before.weeklyHours) return false;
  if (now.then !== "approval" || before.then !== "approval") return strictness[now.then] >= strictness[before.then];
  const [those, earlier] = [membersOf(next, now.approvers), membersOf(old, before.approvers)];
  return (
    now.count >= before.count &&
    now.expiresMs <= before.expiresMs &&
    now.channel === before.channel &&
    those.every((id) => earlier.includes(id))
  );
}

const membersOf = (policy: Policy, roles: readonly string[]): readonly string[] =>
  holdersNamed(policy, roles).flatMap(({ members }) => members);

function inWords({ weeklyHours, projects, then }: Budget): string {
  const where = projects ? ` in ${[...projects].join(" or ")}` : "";
  const before = { refuse: "is refused", approval: "needs the same approval", warn: "gets a warning" }[then];
  return `The budget of ${weeklyHours} h a week${where} is looser. Not everything beyond it ${before} now.`;
}
