import type { WaitingEntry } from "../commands/waiting-entry.ts";
import type { Actor } from "../permissions/actor.ts";
import { mayApprove } from "../permissions/approval.ts";
import type { Policy } from "../permissions/policy.ts";
import { approverRolesOf, type Change, lackingApprovals } from "./change.ts";
import { describeChange } from "./describe-change.ts";

/** Of the changes that wait, those that the actor may decide on, and their own. */
export function waitingEntries(
  changes: readonly Change[],
  policy: Policy,
  { actor, now }: { readonly actor: Actor; readonly now: number },
): readonly WaitingEntry[] {
  if (actor.membership !== "member") return [];
  return changes.flatMap((change) => {
    const { id, approval, decisions, state, reason } = change;
    if (!approval || now >= approval.expiresAt) return [];
    const approvers = approverRolesOf(approval);
    const isOwn = change.actor.userId === actor.userId;
    const hasDecided = decisions.some(({ approverId }) => approverId === actor.userId);
    const mayDecide = state === "awaiting-approval" && !isOwn && !hasDecided && mayApprove(policy, actor, approvers);
    if (!isOwn && !mayDecide) return [];
    return {
      id,
      description: describeChange(change),
      actorName: change.actor.name,
      reason,
      isApproved: state === "approved",
      approvers,
      lacking: lackingApprovals(change),
      expiresAt: approval.expiresAt,
      isOwn,
      mayDecide,
    };
  });
}
