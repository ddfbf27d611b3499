import type { KeptGroup, ResourceGroup } from "../../directory/directory.ts";
import { resourceTypeOf } from "../../directory/resources.ts";
import type { ResourceType } from "../../service/resources.ts";

export type NamedGroup = readonly [name: string, group: ResourceGroup];

/** Whose right to keep a group running counts. */
export const groupTarget = (
  { project, type, ids }: Pick<KeptGroup, "project" | "type" | "ids">,
  exclusionLengthMs = 0,
) => ({ projectId: project, resourceType: type, resourceIds: ids, exclusionLengthMs });

/** The type and project of resource ids: from the groups that hold them, else from their form; left out where ambiguous. */
export function followingFrom(
  ids: readonly string[],
  groups: Readonly<Record<string, ResourceGroup>>,
): { readonly type?: ResourceType; readonly project?: string } {
  if (ids.length === 0) return {};
  const whole = Object.values(groups).filter((group) => ids.every((id) => group.ids.includes(id)));
  const homes =
    whole.length > 0 ? [whole] : ids.map((id) => Object.values(groups).filter((group) => group.ids.includes(id)));
  const type = same(homes.map((own) => only(own.map((group) => group.type)))) ?? resourceTypeOf(ids);
  const project = same(homes.map((own) => only(own.map((group) => group.project))));
  return { ...(type ? { type } : {}), ...(project ? { project } : {}) };
}

/** The group of exactly these resources; undefined for none or several. */
export function groupOf(ids: readonly string[], groups: Readonly<Record<string, ResourceGroup>>): string | undefined {
  const wanted = new Set(ids);
  const same = Object.entries(groups).filter(
    ([, group]) => group.ids.length === wanted.size && group.ids.every((id) => wanted.has(id)),
  );
  return only(same.map(([name]) => name));
}

/** The value that all have; undefined if there is none or they differ. */
export function only<T>(values: readonly T[]): T | undefined {
  const [first, ...others] = new Set(values);
  return others.length === 0 ? first : undefined;
}

/** The value that all have; undefined if one has none or they differ. */
export const same = <T>(values: readonly (T | undefined)[]): T | undefined =>
  values.includes(undefined) ? undefined : only(values.flatMap((value) => value ?? []));

/** Whether a word is a resource's id, by its form or because another group lists it. */
export function isResourceId(word: string, groups: Readonly<Record<string, ResourceGroup>>): boolean {
  const others = Object.entries(groups).filter(([name]) => name.toLowerCase() !== word.toLowerCase());
  return resourceTypeOf([word]) !== undefined || others.some(([, { ids }]) => ids.includes(word));
}
