import { closest } from "fastest-levenshtein";
import { stepCommands, stepNamed } from "../commands/workflow-steps.ts";
import { accountOperations } from "../permissions/account-care.ts";
import { budgetRules } from "../permissions/budgets/budgets.ts";
import { setsExclusionLength } from "../permissions/conditions.ts";
import type { ApprovalRule, Policy, Role } from "../permissions/policy.ts";
import { adminRoles } from "../permissions/roles-held.ts";
import type { OperationName } from "../service/operations.ts";
import { error, type LintFinding, warning } from "./lint-finding.ts";
import type { Settings } from "./settings.ts";
import type { Workflows } from "./workflows-section.ts";

/** Steps that nobody can use, and rights that every workflow would have. */
export function lintWorkflows({ workflows, policy }: Settings): readonly LintFinding[] {
  if (!workflows) return [];
  const { steps, actAs, channel } = workflows;
  const path = ["workflows"];
  const role = policy.roles.find(({ name }) => name === actAs);
  const channels = role?.where.channels;
  const isElsewhere = channels !== undefined && !channels.has(channel ?? "");
  const allowed = [...(channels ?? [])].join(" or ");
  return [
    ...(adminRoles(policy).some(({ name }) => name === actAs)
      ? [warning([...path, "actAs"], "its role allows everything: whoever starts a workflow could do what admins can")]
      : []),
    ...(isElsewhere
      ? [
          error(
            [...path, "channel"],
            `the role “${actAs}” allows nothing elsewhere than in ${allowed}: name one of them`,
          ),
        ]
      : []),
    ...[...steps].flatMap((name, index) => lintStep(name, { policy, workflows, role }, [...path, "steps", index])),
  ];
}

interface Given {
  readonly policy: Policy;
  readonly workflows: Workflows;
  readonly role: Role | undefined;
}

function lintStep(
  name: string,
  { policy, workflows, role }: Given,
  path: readonly PropertyKey[],
): readonly LintFinding[] {
  const command = stepNamed(name);
  const names = stepCommands.map(({ step }) => step.name);
  if (!command) return [error(path, `unknown step "${name}"; did you mean "${closest(name, names)}"?`)];
  const { operation } = command;
  if (operation && !role?.operations.has(operation))
    return [error(path, `the role “${workflows.actAs}” does not allow ${operation}`)];
  if (command.kind !== "change" || workflows.approvers) return [];
  const rule = approvalsLike(policy, command.operation).find(({ operations }) => operations.has(command.operation));
  if (rule)
    return [error(path, `${rule.rule} may ask for an approval, which nobody could give: name workflows.approvers`)];
  return policy.identity && accountOperations.has(command.operation)
    ? [warning(path, "identity may ask for an approval, which nobody could give: name workflows.approvers")]
    : [];
}

/** Hours are counted for what keeps resources running. */
const approvalsLike = (policy: Policy, operation: OperationName): readonly ApprovalRule[] => [
  ...policy.approvals,
  ...(setsExclusionLength(operation) ? budgetRules(policy) : []),
];
