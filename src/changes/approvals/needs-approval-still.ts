import { commandOf } from "../../commands/catalogue.ts";
import type { PlacedDirectory } from "../../directory/directory.ts";
import type { Actor } from "../../permissions/actor.ts";
import { approvalFor } from "../../permissions/approval-rules.ts";
import { asLongAs } from "../../permissions/held-time.ts";
import type { Policy } from "../../permissions/policy.ts";
import { approvalOf, changeTargets } from "../authorize/change-targets.ts";
import { type Change, isAskedFor, isServiceChange, occurrenceOf } from "../change.ts";
import { commandOfStep } from "../steps/authorize-steps.ts";
import { isSeries, planOf } from "../steps/series.ts";

/**
 * Whether the present config asks for an approval of this change by any requester. If its targets cannot be read,
 * it still needs the approval: one such change must not make a whole list fail.
 */
export async function needsApprovalStill(
  policy: Policy,
  change: Change,
  directory: PlacedDirectory,
  actor: Actor,
): Promise<boolean> {
  if (!isServiceChange(change)) return false;
  const { operation, channelId, subjectId, requestedAt, approval } = change;
  // Whether its requester may still ask is looked at before it is performed.
  if (isAskedFor(change)) return policy.roles.some(({ mayAsk }) => mayAsk?.operations.has(operation));
  const held = approval?.heldMs === undefined ? [] : [asLongAs(approval.heldMs)];
  const ask = { actor, operation, channelId, held };
  if (isSeries(change)) {
    const operations = planOf(change).steps.map((step) => commandOfStep(step).operation);
    return operations.some((each) => approvalFor(policy, { ...ask, operation: each }) !== undefined);
  }
  const command = commandOf(change.words);
  if (command?.kind !== "change") return approvalFor(policy, ask) !== undefined;
  const occurrence = occurrenceOf(change);
  const targets = await changeTargets(command, occurrence, { subjectId, now: requestedAt, directory }).catch(
    () => undefined,
  );
  if (!targets || approvalOf(policy, command, occurrence, targets, ask) !== undefined) return true;
  // The cooling-off may have ended since, and whose account it is was looked at when it was asked for.
  return change.subjectKind === "user" && (approval?.because ?? []).length > 0 && policy.identity !== undefined;
}
