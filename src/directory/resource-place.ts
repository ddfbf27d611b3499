import type { ResourceType } from "../service/resources.ts";
import { resourcesIn, resourceTypeOf } from "./resources-in-text.ts";

/** The known type and project of a resource, with their source. */
export interface ResourcePlace {
  /** As in the request. */
  readonly id: string;
  readonly source: "form" | "config" | "group" | "exclusion";
  /** The possible types; empty if unknown. */
  readonly types: readonly string[];
  readonly projectId: string | undefined;
  /** The group's name, or the exclusion's id. */
  readonly name: string | undefined;
  /** From an exclusion that was ended: it counts for rights and approvals, and is no contradiction. */
  readonly isPast: boolean;
}

/** Does not check whether a person may see a place: they named the resource. */
export type PlacesOf = (ids: readonly string[], exceptExclusion?: string) => Promise<readonly ResourcePlace[]>;

const noneKnown = new Map<string, ResourceType>();

/** The types that an id can have by its form; empty if the form shows none. */
export function typesByForm(id: string): readonly ResourceType[] {
  const type = resourceTypeOf([id]);
  if (type) return [type];
  if (!id.toLowerCase().startsWith("arn:")) return [];
  if (/^arn:aws[a-z-]*:rds:[^:]*:[^:]*:cluster:/i.test(id)) return ["amazon-rds-cluster", "amazon-documentdb-cluster"];
  // The ARN of a machine or a volume holds its id.
  return [...new Set(resourcesIn(id, noneKnown).flatMap((found) => found.type ?? []))];
}

/** The source of a place, to follow "as". */
export function sourceWords({ source, name }: ResourcePlace): string {
  switch (source) {
    case "form":
      return "its id shows";
    case "config":
      return `the group ${name} of the config file says`;
    case "group":
      return "a saved resource group says";
    case "exclusion":
      return `exclusion ${name} says`;
  }
}

/** Whether two ids may be of one resource: they are the same, or one is the name or id at the end of the other, an ARN. */
export const isSameResource = (one: string, other: string): boolean =>
  resourceKeys(one).includes(other.toLowerCase()) || resourceKeys(other).includes(one.toLowerCase());

/** The keys of a resource, the most exact first: its id in lower case, and for an ARN the name or id at its end. */
export function resourceKeys(id: string): readonly [string, ...string[]] {
  const whole = id.toLowerCase();
  const bare = whole.startsWith("arn:") ? whole.split(/[:/]/).at(-1) : undefined;
  return bare ? [whole, bare] : [whole];
}
