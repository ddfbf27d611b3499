import type { Problem } from "../answer.ts";
import type { NamedResources, Target } from "../command.ts";
import { type ResourcePlace, sayer } from "./resource-place.ts";

export interface Elsewhere {
  readonly target: Target;
  /** Who says so, in a full sentence. */
  readonly why: string;
}

/** Where resources are known to belong, other than what is said of them. */
export function placedElsewhere(
  own: readonly [Target, ...Target[]],
  places: readonly ResourcePlace[],
): readonly Elsewhere[] {
  const seen = new Set(own.map(keyOf));
  const [first] = own;
  return places.flatMap((place) => {
    const { id, projectId = first.projectId } = place;
    const types = place.types.length === 1 ? place.types : [first.resourceType];
    return types.flatMap((resourceType) => {
      const target = { ...first, projectId, resourceType };
      if (seen.has(keyOf(target))) return [];
      seen.add(keyOf(target));
      const what = [resourceType, projectId && `of project ${projectId}`].filter(Boolean).join(" ");
      return [{ target, why: `${id} is ${what}, as ${sayer(place)}.` }];
    });
  });
}

const keyOf = ({ projectId, resourceType }: Target): string => JSON.stringify([projectId, resourceType]);

/** What is said of a resource and is known to be otherwise, with both. */
export function contradictionIn(
  { claimed, resourceType }: NamedResources,
  projectId: string | undefined,
  places: readonly ResourcePlace[],
): Problem | undefined {
  for (const id of claimed) {
    const told = places.filter((place) => place.id === id && !place.isPast);
    const typed = told.filter(({ types }) => types.length > 0);
    const [form] = typed.filter(({ source }) => source === "form");
    const types = form?.types ?? typed.flatMap((place) => place.types);
    if (resourceType !== undefined && types.length > 0 && !types.includes(resourceType))
      return contradiction("type", `${id} is ${oneOf(types)}`, form ?? typed[0], `the type ${resourceType}`);
    const placed = told.filter((place) => place.projectId !== undefined);
    const projects = placed.flatMap((place) => place.projectId ?? []);
    if (projectId !== undefined && projects.length > 0 && !projects.includes(projectId))
      return contradiction("project", `${id} is in project ${oneOf(projects)}`, placed[0], `project ${projectId}`);
  }
  return undefined;
}

function contradiction(field: string, directory: string, place: ResourcePlace | undefined, said: string): Problem {
  const who = place ? `, as ${sayer(place)}` : "";
  const way =
    place?.source === "exclusion" || place?.source === "group"
      ? "If that is wrong, mend it there, or have those who run Curfew name the resource in a group of the config file."
      : "Say what it is, or leave the resource out.";
  return { field, problem: `${directory}${who}, and this says ${said}. Nothing was changed. ${way}` };
}

const oneOf = (names: readonly string[]): string => [...new Set(names)].join(" or ");
