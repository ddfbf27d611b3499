import { commandOf } from "../commands/catalogue.ts";
import type { Targets } from "../commands/command.ts";
import type { Known } from "../commands/known.ts";
import type { Actor } from "../permissions/actor.ts";
import { approvalFor } from "../permissions/approval.ts";
import type { Policy } from "../permissions/policy.ts";
import { type Change, isServiceChange, occurrenceOf } from "./change.ts";

/**
 * Whether the config, as it is by now, asks for an approval of what was asked for. Who asks makes no difference to that. As long as
 * nobody can tell what it is about, the approval that it was put to is still needed: one such change must not take a list away.
 */
export async function needsApprovalStill(policy: Policy, change: Change, known: Known, actor: Actor): Promise<boolean> {
  if (!isServiceChange(change)) return false;
  const { operation, channelId } = change;
  const targets = await targetsOf(change, known).catch(() => undefined);
  if (!targets) return true;
  return [targets]
    .flat()
    .some((target) => approvalFor(policy, { actor, operation, channelId, ...target }) !== undefined);
}

async function targetsOf(change: Change, known: Known): Promise<Targets> {
  const command = commandOf(change.words);
  return command?.kind === "change" ? command.target(occurrenceOf(change), change.askedAt, known) : {};
}
