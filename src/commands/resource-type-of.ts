import type { ResourceType } from "../service/resources.ts";
import { resourcesIn } from "./resources-in.ts";

const noneKnown = new Map<string, ResourceType>();

/** The type that all these ids have by their form; undefined when one has no telling form or they differ. */
export function resourceTypeOf(ids: readonly string[]): ResourceType | undefined {
  const types = new Set(ids.map((id) => resourcesIn(id, noneKnown).find((found) => found.text === id)?.type));
  const [type] = types;
  return types.size === 1 ? type : undefined;
}
