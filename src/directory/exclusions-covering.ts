import type { Directory, Entity } from "./directory.ts";
import type { NamedOtherwise } from "./resolve-name.ts";
import type { ResourceGroup } from "./resource-group.ts";
import { resourceKeys } from "./resource-place.ts";
import { resourcesInWord } from "./resources-in-text.ts";

export interface CoverSources {
  readonly directory: Pick<Directory, "liveExclusions">;
  readonly groups: Readonly<Record<string, ResourceGroup>>;
  readonly now: number;
}

/** The live exclusions of a resource group, or of a resource by its id. Those of a part of the group are only near. */
export async function exclusionsCovering(
  text: string,
  { directory, groups, now }: CoverSources,
): Promise<NamedOtherwise<"exclusion">> {
  const group = Object.entries(groups).find(([name]) => name.toLowerCase() === text.toLowerCase())?.[1];
  const held = resourcesInWord(text).map(({ id }) => id);
  const sets = [...(group ? [group.ids] : []), held.length > 0 ? held : [text]];
  const covering = await Promise.all(
    sets.map(async (ids) => {
      const live = await directory.liveExclusions(now, ids.flatMap(resourceKeys));
      return live.map((exclusion) => ({ exclusion, isWhole: coversAll(exclusion, ids) }));
    }),
  );
  const [whole, part] = [true, false].map((isWhole) =>
    covering
      .flat()
      .filter((each) => each.isWhole === isWhole)
      .map(({ exclusion }) => exclusion),
  );
  return { fits: unique(whole ?? []), near: unique(part ?? []) };
}

function coversAll({ body }: Entity<"exclusion">, ids: readonly string[]): boolean {
  const keys = new Set((body.resourceIds ?? []).flatMap((id) => resourceKeys(id)));
  return ids.every((id) => resourceKeys(id).some((key) => keys.has(key)));
}

const unique = (exclusions: readonly Entity<"exclusion">[]): readonly Entity<"exclusion">[] => [
  ...new Map(exclusions.map((exclusion) => [exclusion.id, exclusion])).values(),
];
