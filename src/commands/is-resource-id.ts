import type { ResourceGroup } from "./command.ts";
import { resourceTypeOf } from "./resource-type-of.ts";

/** Whether a word is a resource's id, and so never another group's name: by its form, or as one that a group names. */
export function isResourceId(word: string, groups: Readonly<Record<string, ResourceGroup>>): boolean {
  const others = Object.entries(groups).filter(([name]) => name.toLowerCase() !== word.toLowerCase());
  return resourceTypeOf([word]) !== undefined || others.some(([, { ids }]) => ids.includes(word));
}
