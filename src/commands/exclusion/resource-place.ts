import { resourcesIn, resourceTypeOf } from "../../directory/resources-in-text.ts";
import type { ResourceType } from "../../service/resources.ts";

/** What is known of a resource before anybody says anything of it. */
export interface ResourcePlace {
  /** As it was asked for. */
  readonly id: string;
  readonly source: "form" | "config" | "group" | "exclusion";
  /** It is one of these; none where that is not known. */
  readonly types: readonly string[];
  readonly projectId: string | undefined;
  /** The group, or the exclusion's id. */
  readonly name: string | undefined;
  /** Told by an exclusion that somebody has ended: it counts for rights and approvals, and contradicts nobody. */
  readonly isPast: boolean;
}

/** Whether a person may know of a place is not looked at: they named the resource. */
export type PlacesOf = (ids: readonly string[], exceptExclusion?: string) => Promise<readonly ResourcePlace[]>;

const noneKnown = new Map<string, ResourceType>();

/** The types that an id can have by its form; none where that does not tell. */
export function typesByForm(id: string): readonly ResourceType[] {
  const type = resourceTypeOf([id]);
  if (type) return [type];
  if (!id.toLowerCase().startsWith("arn:")) return [];
  if (/^arn:aws[a-z-]*:rds:[^:]*:[^:]*:cluster:/i.test(id)) return ["amazon-rds-cluster", "amazon-documentdb-cluster"];
  // The ARN of a machine or a volume holds its id.
  return [...new Set(resourcesIn(id, noneKnown).flatMap((found) => found.type ?? []))];
}

/** Who says so, to follow "as". */
export function sayer({ source, name }: ResourcePlace): string {
  switch (source) {
    case "form":
      return "its id tells";
    case "config":
      return `the group ${name} of the config file says`;
    case "group":
      return "a saved resource group says";
    case "exclusion":
      return `exclusion ${name} says`;
  }
}
