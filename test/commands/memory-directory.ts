import { createPlacesOf } from "../../src/directory/action-directory.ts";
import type { DirectoryStore, NewEntity, PlacedDirectory, ResourceGroup } from "../../src/directory/directory.ts";
import { openStore } from "../../src/store/open-store.ts";

/** The directory of the real store, with a database in memory that is made when something is first asked of it. */
export function createMemoryDirectory(
  entities: readonly NewEntity[] = [],
  now: () => number = () => 0,
  configGroups: Readonly<Record<string, ResourceGroup>> = {},
): DirectoryStore & PlacedDirectory {
  let opened: Promise<DirectoryStore> | undefined;
  const store = (): Promise<DirectoryStore> => {
    opened ??= openStore(":memory:", { now }).then(async (made) => {
      await made.remember(entities);
      return made;
    });
    return opened;
  };
  const exclusionsNaming: DirectoryStore["exclusionsNaming"] = async (ids) => (await store()).exclusionsNaming(ids);
  const machines = () => [];
  const savedGroups = async () => ({});
  return {
    exclusionsNaming,
    machines,
    placesOf: createPlacesOf({ configGroups: () => configGroups, savedGroups, exclusionsNaming, machines }),
    configure: async (given) => (await store()).configure(given),
    remember: async (given) => (await store()).remember(given),
    get: async (kind, id) => (await store()).get(kind, id),
    match: async (kind, text) => (await store()).match(kind, text),
    named: async (text) => (await store()).named(text),
    search: async (kind, text, limit) => (await store()).search(kind, text, limit),
    exclusionsSince: async (at) => (await store()).exclusionsSince(at),
    liveExclusions: async (at, ids) => (await store()).liveExclusions(at, ids),
  };
}
