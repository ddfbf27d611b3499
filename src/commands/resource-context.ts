import type { ResourceType } from "../service/resources.ts";
import type { ResourceGroup } from "./command.ts";
import { resourceTypeOf } from "./resource-type-of.ts";

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

function only<T>(values: readonly T[]): T | undefined {
  const [first, ...others] = new Set(values);
  return others.length === 0 ? first : undefined;
}
