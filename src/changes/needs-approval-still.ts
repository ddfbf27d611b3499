import { commandOf } from "../commands/catalogue.ts";
import type { PlacedDirectory } from "../commands/known.ts";
import type { Actor } from "../permissions/actor.ts";
import { approvalFor } from "../permissions/approval.ts";
import type { Policy } from "../permissions/policy.ts";
import { type Change, isServiceChange, occurrenceOf } from "./change.ts";
import { approvalOf, touchedBy } from "./touched.ts";

/**
 * Whether the config, as it is by now, asks for an approval of what was asked for. Who asks makes no difference to that. As long as
 * nobody can tell what it is about, the approval that it was put to is still needed: one such change must not take a list away.
 */
export async function needsApprovalStill(
  policy: Policy,
  change: Change,
  directory: PlacedDirectory,
  actor: Actor,
): Promise<boolean> {
  if (!isServiceChange(change)) return false;
  const { operation, channelId, subjectId, requestedAt } = change;
  const ask = { actor, operation, channelId };
  const command = commandOf(change.words);
  if (command?.kind !== "change") return approvalFor(policy, ask) !== undefined;
  const occurrence = occurrenceOf(change);
  const touched = await touchedBy(command, occurrence, { subjectId, now: requestedAt, directory }).catch(() => undefined);
  return !touched || approvalOf(policy, command, occurrence, touched, ask) !== undefined;
}
