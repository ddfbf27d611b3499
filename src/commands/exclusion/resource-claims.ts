import { type ResourcePlace, sourceWords } from "../../directory/resources.ts";
import { groupBy } from "../../time/group-by.ts";
import type { Problem } from "../answer.ts";
import type { NamedResources, Target } from "../command.ts";

export interface OtherPlace {
  readonly target: Target;
  /** The source of this, in a full sentence. */
  readonly why: string;
}

/** Targets of known places that differ from the claimed ones. */
export function otherPlacesOf(
  own: readonly [Target, ...Target[]],
  places: readonly ResourcePlace[],
): readonly OtherPlace[] {
  const seen = new Set(own.map(keyOf));
  const named = own.map(({ resourceIds }) => resourceIds);
  const isAllNamed = named.every((ids) => ids?.length);
  // Those before a change and after it, since either may be at the other place.
  const first = {
    ...own[0],
    resourceIds: isAllNamed ? named.flatMap((ids) => ids ?? []) : named.find((ids) => !ids?.length),
  };
  return places.flatMap((place) => {
    const { id, projectId = first.projectId } = place;
    const types = place.types.length === 1 ? place.types : [first.resourceType];
    return types.flatMap((resourceType) => {
      const target = { ...first, projectId, resourceType };
      if (seen.has(keyOf(target))) return [];
      seen.add(keyOf(target));
      const what = [resourceType, projectId && `of project ${projectId}`].filter(Boolean).join(" ");
      return [{ target, why: `${id} is ${what}, as ${sourceWords(place)}.` }];
    });
  });
}

const keyOf = ({ projectId, resourceType }: Target): string => JSON.stringify([projectId, resourceType]);

/** The first claim that contradicts a known place. */
export function contradictionIn(
  { claimed, resourceType }: NamedResources,
  projectId: string | undefined,
  places: readonly ResourcePlace[],
): Problem | undefined {
  const placesOf = groupBy(places, ({ id, isPast }) => (isPast ? undefined : id));
  for (const id of claimed) {
    const known = placesOf.get(id) ?? [];
    const typed = known.filter(({ types }) => types.length > 0);
    const [form] = typed.filter(({ source }) => source === "form");
    const types = form?.types ?? typed.flatMap((place) => place.types);
    if (resourceType !== undefined && types.length > 0 && !types.includes(resourceType))
      return contradiction("type", `${id} is ${oneOf(types)}`, form ?? typed[0], `the type ${resourceType}`);
    const placed = known.filter((place) => place.projectId !== undefined);
    const projects = placed.flatMap((place) => place.projectId ?? []);
    if (projectId !== undefined && projects.length > 0 && !projects.includes(projectId))
      return contradiction("project", `${id} is in project ${oneOf(projects)}`, placed[0], `project ${projectId}`);
  }
  return undefined;
}

function contradiction(field: string, fact: string, place: ResourcePlace | undefined, claim: string): Problem {
  const source = place ? `, as ${sourceWords(place)}` : "";
  const remedy =
    place?.source === "exclusion" || place?.source === "group"
      ? "If that is wrong, correct it there. Or ask those who run Curfew to put the resource into a group of the config."
      : "Correct this, or leave the resource out.";
  return { field, problem: `${fact}${source}, and this says ${claim}. Nothing was changed. ${remedy}` };
}

const oneOf = (names: readonly string[]): string => [...new Set(names)].join(" or ");
