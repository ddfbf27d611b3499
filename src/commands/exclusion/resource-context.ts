import type { KeptGroup } from "../../directory/directory.ts";
import { type Groups, groupsListing, groupsListingAll } from "../../directory/group-index.ts";
import { resourceTypeOf } from "../../directory/resources.ts";
import type { ResourceType } from "../../service/resources.ts";

/** Whose right to keep a group running counts. */
export const groupTarget = (
  { project, type, ids }: Pick<KeptGroup, "project" | "type" | "ids">,
  exclusionLengthMs = 0,
) => ({ projectId: project, resourceType: type, resourceIds: ids, exclusionLengthMs });

/** The type and project of resource ids: from the groups that hold them, else from their form; left out where ambiguous. */
export function followingFrom(
  ids: readonly string[],
  groups: Groups,
): { readonly type?: ResourceType; readonly project?: string } {
  if (ids.length === 0) return {};
  const whole = groupsListingAll(ids, groups);
  const homes = whole.length > 0 ? [whole] : ids.map((id) => groupsListing(id, groups));
  const type = same(homes.map((own) => only(own.map(([, group]) => group.type)))) ?? resourceTypeOf(ids);
  const project = same(homes.map((own) => only(own.map(([, group]) => group.project))));
  return { ...(type ? { type } : {}), ...(project ? { project } : {}) };
}

/** The group of exactly these resources; undefined for none or several. */
export function groupOf(ids: readonly string[], groups: Groups): string | undefined {
  const wanted = new Set(ids);
  const same = groupsListingAll([...wanted], groups).filter(([, group]) => new Set(group.ids).size === wanted.size);
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
export const isResourceId = (word: string, groups: Groups): boolean =>
  resourceTypeOf([word]) !== undefined ||
  groupsListing(word, groups).some(([name]) => name.toLowerCase() !== word.toLowerCase());
