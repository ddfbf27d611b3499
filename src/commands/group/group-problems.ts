import type { KeptGroup, ResourceGroup } from "../../directory/resource-group.ts";
import type { ResourcePlace } from "../../directory/resource-place.ts";
import { unknownProject } from "../../permissions/decide.ts";
import { actionsNamed } from "../../service/action-types.ts";
import type { Problem } from "../answer.ts";
import type { QueryContext } from "../command.ts";
import { contradictionIn, otherPlacesOf } from "../exclusion/resource-claims.ts";

/** A name must not be a resource's id, or it would replace that resource wherever ids are typed. */
export async function nameProblem(
  name: string,
  ids: readonly string[],
  { directory }: QueryContext,
): Promise<Problem | undefined> {
  const isNamed = ids.some((id) => id.toLowerCase() === name.toLowerCase());
  const isId = isNamed || (await directory.placesOf([name])).length > 0;
  if (/^[a-z0-9][\w.-]*$/i.test(name) && !isId) return undefined;
  return {
    field: "name",
    problem:
      "A group's name is one word of letters, digits, dots, hyphens and underscores, and no resource's id. Nothing was saved: choose another.",
  };
}

export function rightProblem({ type, project }: KeptGroup, { may }: QueryContext): Problem | undefined {
  if (may("CreateActionExclusion", { projectId: project, resourceType: type, exclusionLengthMs: 0 })) return undefined;
  return {
    problem: `You may not exclude ${type} resources of project ${project} here, so you may not change a group of them. Nothing was changed. “whoami” shows what you may do.`,
  };
}

/** A group places each of its resources, so it needs the right for each, as excluding it would. */
export async function idsProblem(
  name: string,
  { ids, type, project }: ResourceGroup,
  { directory, may }: QueryContext,
): Promise<Problem | undefined> {
  const isItself = (place: ResourcePlace) => place.source === "group" && place.name === name.toLowerCase();
  const places = (await directory.placesOf(ids)).filter((place) => !isItself(place));
  const contradiction = contradictionIn({ claimed: ids, resourceType: type, before: [] }, project, places);
  if (contradiction) return contradiction;
  const own = { projectId: project, resourceType: type, exclusionLengthMs: 0 };
  const barred = otherPlacesOf([own], places).find(({ target }) => !may("CreateActionExclusion", target));
  if (!barred) return undefined;
  return { field: "resourceIds", problem: `${barred.why} You may not exclude that here. Nothing was changed.` };
}

/** An action of another project or kind of resource acts on none of these. It is named only to those who may see it. */
export async function actionsProblem(
  group: ResourceGroup,
  { directory, may }: QueryContext,
): Promise<Problem | undefined> {
  for (const id of group.actions ?? []) {
    const known = await directory.get("action", id);
    const action = known && may("ListActions", { projectId: known.projectId ?? unknownProject }) ? known : undefined;
    if (action && actionsNamed(group, [action.body]).length > 0) continue;
    const what = action
      ? `${action.name ?? id} is not for ${group.type} resources of project ${group.project}`
      : `Curfew knows no action ${id}`;
    return { field: "actions", problem: `${what}. Nothing was changed. “action list” shows those there are.` };
  }
  return undefined;
}
