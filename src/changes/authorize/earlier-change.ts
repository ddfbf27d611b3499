import { actsOf, type EarlierChange } from "../../permissions/account-care.ts";
import { type Change, isServiceChange } from "../change.ts";

/** What the rules that protect accounts look at in an earlier change. */
export function asEarlier(change: Change): EarlierChange {
  const { actor, decisions, requestedAt, settledAt } = change;
  return {
    acts: isServiceChange(change) ? actsOf(change.operation, change.request) : [],
    at: settledAt ?? requestedAt,
    requester: { userId: actor.userId, name: actor.name },
    approvers: decisions
      .filter(({ verdict }) => verdict === "approved")
      .map(({ approverId, approverName }) => ({ userId: approverId, name: approverName })),
  };
}
