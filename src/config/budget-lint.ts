import { budgetRule } from "../permissions/budgets/budgets.ts";
import { setsExclusionLength } from "../permissions/conditions.ts";
import { lintApprovers } from "./approver-lint.ts";
import { type LintFinding, warning } from "./lint-finding.ts";
import type { Settings } from "./settings.ts";

/** Budgets without effect, and those whose approval cannot be given. */
export function lintBudgets({ policy }: Settings): readonly LintFinding[] {
  const { budgets, roles } = policy;
  const ofRoles = roles
    .filter(({ where, operations }) => where.weeklyHours !== undefined && ![...operations].some(setsExclusionLength))
    .map(({ name }) =>
      warning(["permissions", "roles", name, "where", "weeklyHours"], "the role neither makes nor extends exclusions"),
    );
  const found = budgets.flatMap((budget, index): readonly LintFinding[] => {
    const path = ["budgets", index];
    const { projects, weeklyHours } = budget;
    const refusing = budgets.findIndex(
      (each) =>
        each !== budget &&
        each.then === "refuse" &&
        each.weeklyHours <= weeklyHours &&
        (each.projects === undefined ||
          (projects !== undefined && [...projects].every((id) => each.projects?.has(id)))),
    );
    return [
      ...(refusing === -1 || budget.then === "refuse"
        ? []
        : [warning(path, `it never applies: budgets.${refusing} refuses as many hours`)]),
      ...(budget.then === "approval" ? lintApprovers(policy, budgetRule(budget), path) : []),
    ];
  });
  return [...ofRoles, ...found];
}
