import { resourceTypeOf } from "../../directory/resources-in-text.ts";
import type { ResourceType } from "../../service/resources.ts";
import type { ResourceGroup } from "../command.ts";

/** What follows from resource ids about their type and project: groups that hold them all, else their form; silent where that leaves a doubt. */
export function followingFrom(
  ids: readonly string[],
  groups: Readonly<Record<string, ResourceGroup>>,
): { readonly type?: ResourceType; readonly project?: string } {
  if (ids.length === 0) return {};
  const homes = Object.values(groups).filter((group) => ids.every((id) => group.ids.includes(id)));
  const type = only(homes.map((group) => group.type)) ?? resourceTypeOf(ids);
  const project = only(homes.map((group) => group.project));
  return { ...(type ? { type } : {}), ...(project ? { project } : {}) };
}

/** The group that names these resources and no others; undefined where none does, or several. */
export function groupOf(ids: readonly string[], groups: Readonly<Record<string, ResourceGroup>>): string | undefined {
  const wanted = new Set(ids);
  const same = Object.entries(groups).filter(([, group]) => {
    const its = new Set(group.ids);
    return its.size === wanted.size && [...its].every((id) => wanted.has(id));
  });
  return only(same.map(([name]) => name));
}

function only<T>(values: readonly T[]): T | undefined {
  const [first, ...others] = new Set(values);
  return others.length === 0 ? first : undefined;
}

/** Whether a word is a resource's id, and so never another group's name: by its form, or as one that a group names. */
export function isResourceId(word: string, groups: Readonly<Record<string, ResourceGroup>>): boolean {
  const others = Object.entries(groups).filter(([name]) => name.toLowerCase() !== word.toLowerCase());
  return resourceTypeOf([word]) !== undefined || others.some(([, { ids }]) => ids.includes(word));
}
