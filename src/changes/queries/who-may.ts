import type { WhoMay } from "../../commands/query-ports.ts";
import { approvalFor, holdersNamed } from "../../permissions/approval-rules.ts";
import { askingFor } from "../../permissions/asking.ts";
import { limitsOf } from "../../permissions/conditions.ts";
import { actOf, decide, limitsHeld, mayOffer, whoCouldAll } from "../../permissions/decide.ts";
import type { PermissionRequest } from "../../permissions/permission-request.ts";
import type { Policy } from "../../permissions/policy.ts";
import { type OperationName, operations as operationsOf } from "../../service/operations.ts";

type Asked = Omit<PermissionRequest, "operation">;

/** Who may call all of these operations, as far as a refusal would tell the requester. */
export function whoMay(policy: Policy, words: string, operations: readonly OperationName[], asked: Asked): WhoMay {
  const requests = operations.map((operation) => ({ ...asked, operation }));
  const lacking = requests.find((request) => !mayOffer(policy, request));
  const decision = lacking && decide(policy, lacking);
  const rules = requests.flatMap((request) => approvalFor(policy, request) ?? []);
  const [first] = requests;
  return {
    act:
      first && operations.length === 1 && operationsOf[first.operation].effect !== "read"
        ? actOf(first.operation)
        : `use “${words}”`,
    isForAll: operations.length === 0,
    whyNot: decision?.kind === "denied" ? (decision.toActor ?? decision.reason) : undefined,
    limits: lacking ? [] : [...new Set(requests.flatMap((request) => limitsHeld(policy, request)))],
    mayAsk: askingFor(policy, requests)?.approvers ?? [],
    others: whoCouldAll(policy, asked, operations).map((holder) => ({
      ...holder,
      limits: limitsOfRole(policy, holder.role, operations),
    })),
    approvers: holdersNamed(policy, [...new Set(rules.flatMap(({ approvers }) => approvers))]),
  };
}

function limitsOfRole({ roles }: Policy, name: string, operations: readonly OperationName[]): readonly string[] {
  const role = roles.find((each) => each.name === name);
  return role ? [...new Set(operations.flatMap((operation) => limitsOf(role, operation)))] : [];
}
