import { commandOf } from "../commands/catalogue.ts";
import type { CommandContext, HistoryFilter, Target } from "../commands/command.ts";
import { SavedGroup } from "../commands/known.ts";
import { mayApprove } from "../permissions/approval.ts";
import { mayOffer } from "../permissions/decide.ts";
import type { Policy } from "../permissions/policy.ts";
import { approverRolesOf, type Change, isServiceChange, occurrenceOf } from "./change.ts";
import type { ChangeStore } from "./ports.ts";

/** As many as are looked through for those that the asker may see, for each that is wanted and at least. */
const lookedThroughForEach = 10;
const fewestLookedThrough = 200;
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
  const { skip = 0, limit, ...which } = filter;
  const wanted = skip + limit;
  const most = which.actorId ? wanted : Math.max(fewestLookedThrough, wanted * lookedThroughForEach);
  for (let offset = 0; offset < most && visible.length < wanted; offset += atOnce) {
    const changes = await store.list({ ...which, limit: atOnce, offset });
    for (const change of changes)
      if (visible.length < wanted && (await maySee(change, policy, context))) visible.push(change);
    if (changes.length < atOnce) break;
  }
  return visible.slice(skip);
}

/** A project of which no role that is limited to projects can be. */
const unknownProject = "";

/** One's own changes, those that one may approve, and those of others that one might make, or may read of, in the same projects. */
async function maySee(change: Change, policy: Policy, { actor, channelId, known }: CommandContext): Promise<boolean> {
  if (change.actor.userId === actor.userId) return true;
  if (change.approval && mayApprove(policy, actor, approverRolesOf(change.approval))) return true;
  const command = commandOf(change.words);
  const targets =
    command?.kind === "change" ? await command.target(occurrenceOf(change), change.askedAt, known) : projectsOf(change);
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
