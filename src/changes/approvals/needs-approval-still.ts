import { commandOf } from "../../commands/catalogue.ts";
import type { PlacedDirectory } from "../../directory/directory.ts";
import type { Actor } from "../../permissions/actor.ts";
import { approvalFor } from "../../permissions/approval-rules.ts";
import type { Policy } from "../../permissions/policy.ts";
import { approvalOf, changeTargets } from "../authorize/change-targets.ts";
import { type Change, isAskedFor, isServiceChange, occurrenceOf } from "../change.ts";

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
  const { operation, channelId, subjectId, requestedAt } = change;
  // Whether its requester may still ask is looked at before it is performed.
  if (isAskedFor(change)) return policy.roles.some(({ mayAsk }) => mayAsk?.operations.has(operation));
  const ask = { actor, operation, channelId };
  const command = commandOf(change.words);
  if (command?.kind !== "change") return approvalFor(policy, ask) !== undefined;
  const occurrence = occurrenceOf(change);
  const targets = await changeTargets(command, occurrence, { subjectId, now: requestedAt, directory }).catch(
    () => undefined,
  );
  return !targets || approvalOf(policy, command, occurrence, targets, ask) !== undefined;
}
