import type { ResourceGroup } from "../../directory/directory.ts";
import { typesByForm } from "../../directory/resource-place.ts";
import { actionsNamed, actsOn, resourceTypeLabel } from "../../service/action-types.ts";
import type { Action } from "../../service/resources.ts";
import { readableActions } from "../action.ts";
import { isProblem, type Problem } from "../answer.ts";
import type { QueryContext } from "../command.ts";
import { comingRun } from "../exclusion/next-run.ts";
import type { Resources, Thing } from "../thing.ts";
import { maySeeProject } from "./may-see.ts";

/** The next run of an action. */
export interface Run {
  readonly action: Action;
  /** In epoch ms. */
  readonly at: number;
}

/** The coming runs of every action that the requester may see, soonest first. */
export async function comingRuns(context: QueryContext): Promise<readonly Run[] | Problem> {
  const listed = await readableActions(context);
  if (isProblem(listed)) return listed;
  const runs = listed.flatMap(({ action }) => {
    const at = comingRun(action, context.now);
    return at === undefined ? [] : [{ action, at }];
  });
  return runs.sort((one, other) => one.at - other.at);
}

export interface RunsOfThing {
  readonly runs: readonly Run[];
  /** Where they are, in words, if it is only known that they are of the same kind there; undefined if they certainly act on it. */
  readonly dueIn?: string | undefined;
  /** Their project is not known, so these are the runs of all projects for their type. */
  readonly isAnywhere?: true;
}

/** The coming runs that concern a thing. An action does not name its resources (API.md), so only groups may know theirs. */
export async function runsOf(
  thing: Thing,
  runs: readonly Run[],
  context: QueryContext,
): Promise<RunsOfThing | undefined> {
  if (thing.kind === "action") return { runs: runs.filter(({ action }) => action.actionId === thing.id) };
  if (thing.kind === "project") return { runs: runs.filter(({ action }) => action.projectId === thing.id) };
  const resources = thing.kind === "exclusion" ? namedBy(thing) : thing;
  if (resources.kind !== "resources") return undefined;
  const groups = knowingGroups(resources, context);
  if (groups) {
    const actions = runs.map(({ action }) => action);
    const named = new Set(groups.flatMap((group) => actionsNamed(group, actions)));
    return { runs: runs.filter(({ action }) => named.has(action)) };
  }
  const { project, type } = await placeOf(resources, context);
  if (project === undefined) return undefined;
  const name = (await context.directory.get("project", project))?.name ?? project;
  return {
    runs: runs.filter(({ action }) => action.projectId === project && (!type || actsOn(action, type) !== false)),
    dueIn: type ? `${name}, ${resourceTypeLabel(type)}` : name,
  };
}

/** Of resources whose project is not known, the runs that certainly act on their type, wherever. */
export function runsOfKind(things: readonly Thing[], listed: readonly Run[]): RunsOfThing | undefined {
  const types = things.flatMap((thing) => (thing.kind === "resources" ? thing.ids.flatMap(typesByForm) : []));
  const [type] = types;
  if (type === undefined || new Set(types).size > 1) return undefined;
  const runs = listed.filter(({ action }) => actsOn(action, type) === true);
  return runs.length > 0 ? { runs, dueIn: `any project, ${resourceTypeLabel(type)}`, isAnywhere: true } : undefined;
}

export function namedBy({ exclusion, name }: Thing & { readonly kind: "exclusion" }): Resources {
  return { kind: "resources", ids: exclusion.body.resourceIds ?? [], group: undefined, name };
}

/** The groups that hold all these resources and know their actions; undefined if there is none. */
function knowingGroups({ ids }: Resources, { settings, may }: QueryContext): readonly ResourceGroup[] | undefined {
  const groups = Object.values(settings.resourceGroups).filter(
    ({ project, actions, ids: all }) =>
      actions !== undefined && maySeeProject({ may }, project) && ids.length > 0 && ids.every((id) => all.includes(id)),
  );
  return groups.length > 0 ? groups : undefined;
}

/** The names of the groups that an action acts on. */
export function groupsOf(action: Action, { settings, may }: Pick<QueryContext, "settings" | "may">): readonly string[] {
  return Object.entries(settings.resourceGroups).flatMap(([name, group]) =>
    maySeeProject({ may }, group.project) && actionsNamed(group, [action]).length > 0 ? [name] : [],
  );
}

export interface Place {
  readonly project?: string | undefined;
  readonly type?: string | undefined;
}

/** The one project and type of resources, as far as the requester may see them. */
export async function placeOf({ ids }: Resources, context: QueryContext): Promise<Place> {
  const places = (await context.directory.placesOf(ids)).filter(
    ({ projectId, isPast }) => !isPast && (projectId === undefined || maySeeProject(context, projectId)),
  );
  const types = ids.flatMap((id): readonly string[] => {
    const byForm = typesByForm(id);
    return byForm.length > 0 ? byForm : places.filter((place) => place.id === id).flatMap((place) => place.types);
  });
  return { project: only(places.map(({ projectId }) => projectId)), type: only(types) };
}

function only(values: readonly (string | undefined)[]): string | undefined {
  const [value, ...others] = new Set(values.filter((each) => each !== undefined));
  return others.length === 0 ? value : undefined;
}
