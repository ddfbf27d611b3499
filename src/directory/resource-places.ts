import type { Directory, Entity, ResourceGroup } from "./directory.ts";
import { type PlacesOf, type ResourcePlace, resourceKeys, typesByForm } from "./resource-place.ts";

type Groups = Readonly<Record<string, ResourceGroup>>;

export interface PlaceSources {
  readonly configGroups: () => Groups;
  readonly savedGroups: () => Promise<Groups>;
  readonly exclusionsNaming: Directory["exclusionsNaming"];
}

/**
 * The places of resources: by their form and by the config file, which operators answer for. Only where the config is silent, also
 * by saved groups and exclusions.
 */
export function createPlacesOf({ configGroups, savedGroups, exclusionsNaming }: PlaceSources): PlacesOf {
  return async (ids, exceptExclusion) => {
    if (ids.length === 0) return [];
    const config = indexOfConfig(configGroups());
    const unplaced = ids.filter((id) => matches(config, id).length === 0);
    const claims =
      unplaced.length === 0
        ? []
        : await Promise.all([savedGroups(), exclusionsNaming(unplaced.flatMap((id) => resourceKeys(id)))]).then(
            ([groups, exclusions]) => [
              ...groupClaims("group", groups),
              ...exclusions.filter(({ id }) => id !== exceptExclusion).flatMap(exclusionClaims),
            ],
          );
    const people = indexOf(claims);
    return [...new Set(ids)].flatMap((id) => {
      const types = typesByForm(id);
      const form: ResourcePlace[] =
        types.length > 0 ? [{ id, source: "form", types, projectId: undefined, name: undefined, isPast: false }] : [];
      const configured = matches(config, id);
      return [
        ...form,
        ...(configured.length > 0 ? configured : matches(people, id)).map((claim) => ({ ...claim, id })),
      ];
    });
  };
}

/** A place with the id as its source writes it. */
type Claim = ResourcePlace;
type Index = ReadonlyMap<string, readonly Claim[]>;

const indexed = new WeakMap<Groups, Index>();

/** Cached: there may be thousands of ids, and the config seldom changes. */
function indexOfConfig(groups: Groups): Index {
  const index = indexed.get(groups) ?? indexOf(groupClaims("config", groups));
  indexed.set(groups, index);
  return index;
}

function indexOf(claims: readonly Claim[]): Index {
  const index = new Map<string, Claim[]>();
  for (const claim of claims)
    for (const key of resourceKeys(claim.id)) index.set(key, [...(index.get(key) ?? []), claim]);
  return index;
}

/** The claims on exactly this id; else those that match an ARN with a bare name, if the types agree. */
function matches(index: Index, id: string): readonly Claim[] {
  const keys = resourceKeys(id);
  const found = keys.flatMap((key) => index.get(key) ?? []);
  const exact = found.filter((claim) => claim.id.toLowerCase() === keys[0]);
  if (exact.length > 0) return exact;
  return found.filter((claim) => {
    const [one, other] = [resourceKeys(claim.id), keys];
    return one.length !== other.length && sameType(claim, typesByForm(id));
  });
}

function sameType({ types }: Claim, byForm: readonly string[]): boolean {
  return types.length === 0 || byForm.length === 0 || types.some((type) => byForm.includes(type));
}

function groupClaims(source: "config" | "group", groups: Groups): readonly Claim[] {
  return Object.entries(groups).flatMap(([name, { type, project, ids }]) =>
    ids.map((id) => ({ id, source, types: [type], projectId: project, name, isPast: false })),
  );
}

function exclusionClaims({ id: name, projectId, endedAt, body }: Entity<"exclusion">): readonly Claim[] {
  const types = body.resourceType ? [body.resourceType] : [];
  return (body.resourceIds ?? []).map((id) => ({
    ...{ id, source: "exclusion" as const, types, name },
    projectId: projectId ?? undefined,
    isPast: endedAt !== null,
  }));
}
