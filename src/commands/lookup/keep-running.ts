import { actsOn, isFor } from "../../service/action-types.ts";
import { type Action, resourceTypes } from "../../service/resources.ts";
import type { CommandButton } from "../answer.ts";
import type { QueryContext } from "../command.ts";
import type { Resources } from "../thing.ts";
import { groupsOf, type Place, type Run } from "./coming-runs.ts";

/** The actions of the service take a moment. */
const afterRunMs = 5 * 60_000;

/** Prevents a run that stops something: for the one group that its action acts on, else by the form. None for other runs. */
export function keepRunningButton({ action, at }: Run, context: QueryContext): readonly CommandButton[] {
  if (!isFor("stop", action)) return [];
  const until = at + afterRunMs;
  const [name, ...others] = groupsOf(action, context);
  const group = name !== undefined && others.length === 0 ? context.settings.resourceGroups[name] : undefined;
  if (!group)
    return exclusionForm({ project: action.projectId ?? undefined, type: typeOf(action) }, [], until, context);
  const { ids, type, project } = group;
  if (!mayExclude({ type, project }, until, context)) return [];
  const input = { resourceIds: ids, type, project, process: "stop", until };
  return [{ label: "Keep running", words: "exclusion create", opens: "result", input }];
}

/** Opens the form for excluding these resources, filled with what is known. */
export function keepResourcesButton(
  { ids }: Pick<Resources, "ids">,
  place: Place,
  stop: Run | undefined,
  context: QueryContext,
): readonly CommandButton[] {
  return exclusionForm(place, ids, stop && stop.at + afterRunMs, context);
}

function exclusionForm(
  { project, type }: Place,
  ids: readonly string[],
  until: number | undefined,
  context: QueryContext,
): readonly CommandButton[] {
  if (!mayExclude({ project, type }, until ?? context.now, context)) return [];
  const input = {
    ...(ids.length > 0 ? { resourceIds: ids } : {}),
    ...(project === undefined ? {} : { project }),
    ...(resourceTypes.some((each) => each === type) ? { type } : {}),
    ...(until === undefined ? {} : { until }),
    process: "stop",
  };
  return [{ label: "Keep running", words: "exclusion create", opens: "form", input }];
}

function mayExclude({ project, type }: Place, until: number, { may, now }: QueryContext): boolean {
  const target = { projectId: project, resourceType: type, exclusionLengthMs: Math.max(0, until - now) };
  return may("CreateActionExclusion", target);
}

const typeOf = (action: Action): string | undefined => resourceTypes.find((type) => actsOn(action, type) === true);
