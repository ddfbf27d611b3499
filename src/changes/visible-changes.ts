import { commandOf } from "../commands/catalogue.ts";
import type { CommandContext, Target } from "../commands/command.ts";
import type { HistoryFilter } from "../commands/history-entry.ts";
import { SavedGroup } from "../commands/known.ts";
import { mayApprove } from "../permissions/approval.ts";
import { mayOffer } from "../permissions/decide.ts";
import type { Policy } from "../permissions/policy.ts";
import { approverRolesOf, type Change, isServiceChange, occurrenceOf } from "./change.ts";
import type { ChangeStore } from "./ports.ts";

/** As many as are looked through for those that the requester may see, for each that is wanted; at least one batch. */
const lookedThroughForEach = 10;
/** Mostly the latest ones are enough. */
const firstBatch = 20;
/** So many are read at a time then, so that a far page takes no more memory than a near one. */
const batch = 200;

/** The latest changes that the requester may know of where they ask. */
export async function visibleChanges(
  filter: HistoryFilter,
  store: Pick<ChangeStore, "list">,
  policy: Policy,
  context: CommandContext,
): Promise<readonly Change[]> {
  const visible: Change[] = [];
  const { id, actorId, skip = 0, limit } = filter;
  const wanted = skip + limit;
  let left = actorId ? wanted : Math.max(batch, wanted * lookedThroughForEach);
  let passedOver = 0;
  let before: Change | undefined;
  while (left > 0) {
    const changes = await store.list({ id, actorId, limit: Math.min(left, before ? batch : firstBatch), before });
    for (const change of changes) {
      if (!(await maySee(change, policy, context))) continue;
      if (passedOver < skip) passedOver++;
      else if (visible.push(change) === limit) return visible;
    }
    before = changes.at(-1);
    if (!before) return visible;
    left -= changes.length;
  }
  return visible;
}

/** A project of which no role that is limited to projects can be. */
const unknownProject = "";

/** One's own changes, those that one may approve, and those of others that one might make, or may read of, in the same projects. */
async function maySee(change: Change, policy: Policy, { actor, channelId, directory }: CommandContext): Promise<boolean> {
  if (change.actor.userId === actor.userId) return true;
  if (change.approval && mayApprove(policy, actor, approverRolesOf(change.approval))) return true;
  const command = commandOf(change.words);
  const targets =
    command?.kind === "change" ? await command.target(occurrenceOf(change), change.requestedAt, directory) : projectsOf(change);
  // Who may exclude what a resource group names may change the group.
  const operation = isServiceChange(change) ? change.operation : "CreateActionExclusion";
  return ([operation, "ListActions"] as const).some((operation) =>
    [targets]
      .flat()
      .every(({ projectId = unknownProject }) => mayOffer(policy, { actor, operation, channelId, projectId })),
  );
}

/** Of the resource group that it changed, as it was and as it is. */
function projectsOf({ before, request }: Change): readonly Target[] {
  const groups = [before, request].flatMap((body) => SavedGroup.safeParse(body).data ?? []);
  return groups.length > 0 ? groups.map(({ project }) => ({ projectId: project })) : [{}];
}
