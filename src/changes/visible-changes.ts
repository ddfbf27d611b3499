import { commandOf } from "../commands/catalogue.ts";
import type { CommandContext, HistoryFilter } from "../commands/command.ts";
import { mayApprove } from "../permissions/approval.ts";
import { mayOffer } from "../permissions/decide.ts";
import type { Policy } from "../permissions/policy.ts";
import { approverRolesOf, type Change, occurrenceOf } from "./change.ts";
import type { ChangeStore } from "./ports.ts";

/** As many as are looked through for those that the asker may see. */
const mostLookedThrough = 200;
/** Mostly the latest ones are enough. */
const atOnce = 20;

/** The latest changes that the asker may know of where they ask. */
export async function visibleChanges(
  filter: HistoryFilter,
  store: Pick<ChangeStore, "list">,
  policy: Policy,
  context: CommandContext,
): Promise<readonly Change[]> {
  const visible: Change[] = [];
  const limit = Math.max(atOnce, filter.limit);
  for (let offset = 0; offset < mostLookedThrough; offset += limit) {
    const changes = await store.list({ ...filter, limit, offset });
    for (const change of changes) {
      if (visible.length === filter.limit) return visible;
      if (await maySee(change, policy, context)) visible.push(change);
    }
    if (changes.length === 0) break;
  }
  return visible;
}

/** A project of which no role that is limited to projects can be. */
const unknownProject = "";

/** One's own changes, those that one may approve, and those of others that one might make, or may read of, in the same projects. */
async function maySee(change: Change, policy: Policy, { actor, channelId, known }: CommandContext): Promise<boolean> {
  if (change.actor.userId === actor.userId) return true;
  if (change.approval && mayApprove(policy, actor, approverRolesOf(change.approval))) return true;
  const command = commandOf(change.words);
  const targets = command?.kind === "change" ? await command.target(occurrenceOf(change), change.askedAt, known) : {};
  return ([change.operation, "ListActions"] as const).some((operation) =>
    [targets]
      .flat()
      .every(({ projectId = unknownProject }) => mayOffer(policy, { actor, operation, channelId, projectId })),
  );
}
