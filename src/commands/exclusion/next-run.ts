import type { ResourceGroup } from "../../directory/directory.ts";
import { groupsListingAll, groupsNaming, groupsWithAny, type NamedGroup } from "../../directory/group-index.ts";
import { unknownProject } from "../../permissions/decide.ts";
import { actionsNamed, isFor, isMeantBy } from "../../service/action-types.ts";
import type { Action } from "../../service/resources.ts";
import { timeAt } from "../../time/format-moment.ts";
import { oncePer } from "../../time/once-per.ts";
import { isProblem, type Problem, serviceProblem } from "../answer.ts";
import type { FillContext } from "../command.ts";
import { isUnscheduled, nextScheduledRun, scheduledRuns } from "../schedule-facts.ts";
import { instant, resourceWords } from "./exclusion-body.ts";
import { afterRunMs } from "./kept-until.ts";

export interface NextRun {
  /** In epoch ms. */
  readonly at: number;
  readonly action: Action;
}

/** The first run after `after`, in epoch ms: the service's next one, else by its daily schedule. Undefined when neither says. */
export function runAfter(action: Action, after: number): number | undefined {
  const next = nextDateOf(action);
  if (next !== undefined && next > after) return next;
  return nextScheduledRun(action.schedule, after);
}

export function* runsAfter(action: Action, after: number): Generator<number, undefined> {
  const first = runAfter(action, after);
  if (first === undefined) return;
  yield first;
  yield* scheduledRuns(action.schedule, first);
}

/** Read once: many lists look at each of a company's actions. */
const nextDateOf = oncePer(({ nextExecutionDate }: Action) => instant(nextExecutionDate));

/** Whether an action may run after a moment although nothing says when: only its next run is known, which comes before. */
export const mayRunAfter = (action: Action, after: number): boolean =>
  runAfter(action, after) === undefined &&
  instant(action.nextExecutionDate) !== undefined &&
  !isUnscheduled(action.schedule);

const soonMs = 12 * 3_600_000;

/** Whether a run follows an end so soon that the person who set the end should know. */
export const isSoonAfter = (end: number, at: number): boolean => at - end <= soonMs;

/** The next run of an action after now. Undefined when it is switched off, or nothing says when it runs. */
export const comingRun = (action: Action, now: number): number | undefined =>
  action.isEnabled === false ? undefined : runAfter(action, now);

/** An action counts before a group, and a group before resources. */
export interface Things {
  readonly resourceIds?: readonly string[] | undefined;
  readonly group?: ResourceGroup | undefined;
  readonly actionId?: string | undefined;
}

/**
 * The next run of an action, or of those that stop (or start) a group or the groups with these resources. Undefined when none is due; a problem
 * when Curfew does not know which actions these are.
 */
export async function nextRunOf(
  things: Things,
  context: FillContext,
  process: "stop" | "start" = "stop",
): Promise<NextRun | undefined | Problem> {
  const listed = await listedActions(context);
  if ("problem" in listed) return listed;
  const { actionId, group, resourceIds = [] } = things;
  if (actionId !== undefined) {
    const action = listed.actions.find((each) => each.actionId === actionId);
    return action ? soonest([action], context.now) : unknownAction(actionId);
  }
  const groups = group ? [group] : groupsHolding(resourceIds, context);
  const known = groups.filter(({ actions }) => actions !== undefined);
  if (known.length === 0) return unknownActions(groups[0], resourceIds, context);
  const named = known.flatMap((each) => actionsNamed(each, listed.actions));
  if (named.length === 0 && known.some(({ actions }) => actions?.length)) return unlistedActions;
  return soonest(
    named.filter((each) => isFor(process, each)),
    context.now,
  );
}

/** The groups that name an action, given by its id, name or tag. */
export async function groupsOfAction(
  reference: string,
  context: FillContext,
): Promise<readonly NamedGroup[] | Problem> {
  const listed = await listedActions(context);
  if ("problem" in listed) return listed;
  const meant = listed.actions.filter((action) => isMeantBy(reference, action));
  return groupsNaming(meant, context.settings.resourceGroups);
}

/** The actions that the requester may see. */
async function listedActions({
  read,
  may,
}: Pick<FillContext, "read" | "may">): Promise<{ readonly actions: readonly Action[] } | Problem> {
  const listed = await read("ListActions", {});
  if (listed.kind !== "succeeded") return serviceProblem(listed.error);
  const mayRead = new Map<string, boolean>();
  return {
    actions: (listed.answer ?? []).filter(({ projectId }) => {
      const project = projectId ?? unknownProject;
      const isReadable = mayRead.get(project) ?? may("ListActions", { projectId: project });
      mayRead.set(project, isReadable);
      return isReadable;
    }),
  };
}

function soonest(actions: readonly Action[], now: number): NextRun | undefined {
  const runs = actions.flatMap((action) => {
    const at = comingRun(action, now);
    return at === undefined ? [] : [{ at, action }];
  });
  return runs.sort((one, other) => one.at - other.at)[0];
}

/** An action of a group acts on each of its resources. */
const groupsHolding = (ids: readonly string[], { settings }: FillContext): readonly ResourceGroup[] =>
  groupsListingAll(ids, settings.resourceGroups).map(([, group]) => group);

const unknownAction = (id: string): Problem => ({
  problem: `Curfew does not know the action ${id}. “action list” shows those there are.`,
});

const unlistedActions: Problem = {
  problem: "The service lists none of the actions that this group names. Those who run Curfew can correct them.",
};

function unknownActions(group: ResourceGroup | undefined, ids: readonly string[], { settings }: FillContext): Problem {
  const [name] = Object.entries(settings.resourceGroups).find(([, each]) => each === group) ?? [];
  if (name === undefined)
    return {
      problem: `Curfew does not know which actions stop ${resourceWords(group?.ids ?? ids)}: no resource group of them lists its actions.`,
    };
  const remedy = group?.isSaved
    ? "save the group again with “--actions”"
    : `those who run Curfew can list them under “resourceGroups.${name}.actions”`;
  return { problem: `Curfew does not know which actions stop “${name}”: ${remedy}.` };
}

/** `HH:MM` right before the first of these resources is stopped (or started) next; undefined where no action of theirs says it. */
export async function timeBeforeStop(
  resourceIds: readonly string[],
  zone: string,
  context: FillContext,
  process: "stop" | "start",
): Promise<string | undefined> {
  const groups = groupsWithAny(resourceIds, context.settings.resourceGroups)
    .map(([, group]) => group)
    .filter(({ ids }) => ids.some((id) => resourceIds.includes(id)));
  const isOfOne = groups.some(({ ids }) => resourceIds.every((id) => ids.includes(id)));
  const runs = isOfOne
    ? [await nextRunOf({ resourceIds }, context, process)]
    : await Promise.all(groups.map((group) => nextRunOf({ group }, context, process)));
  const ats = runs.flatMap((run) => (run === undefined || isProblem(run) ? [] : [run.at]));
  const times = ats.map((at) => timeAt(at - afterRunMs, zone));
  const isKnown = resourceIds.every((id) => groups.some(({ ids }) => ids.includes(id)));
  // The service may be ahead by seconds.
  return isKnown ? times.toSorted()[0] : undefined;
}
