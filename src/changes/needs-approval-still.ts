import { commandOf } from "../commands/catalogue.ts";
import type { Known } from "../commands/known.ts";
import type { Actor } from "../permissions/actor.ts";
import { approvalFor } from "../permissions/approval.ts";
import type { Policy } from "../permissions/policy.ts";
import { type Change, isServiceChange, occurrenceOf } from "./change.ts";

/** Whether the config, as it is by now, asks for an approval of what was asked for. Who asks makes no difference to that. */
export async function needsApprovalStill(policy: Policy, change: Change, known: Known, actor: Actor): Promise<boolean> {
  if (!isServiceChange(change)) return false;
  const { words, operation, channelId, askedAt } = change;
  const command = commandOf(words);
  const targets = command?.kind === "change" ? await command.target(occurrenceOf(change), askedAt, known) : {};
  return [targets]
    .flat()
    .some((target) => approvalFor(policy, { actor, operation, channelId, ...target }) !== undefined);
}
