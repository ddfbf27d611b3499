import type { Change } from "../../src/changes/change.ts";
import type { GroupStore } from "../../src/changes/ports.ts";
import type { ResourceGroup } from "../../src/directory/directory.ts";

/** Keeps groups in memory; `recorded` is called with each change. */
export function createMemoryGroups(recorded: (change: Change) => void = () => undefined): GroupStore {
  const saved = new Map<string, ResourceGroup>();
  return {
    groups: async () => Object.fromEntries(saved),
    findGroup: async (name) => saved.get(name),
    changeGroup: async (name, group, record) => {
      const former = saved.get(name);
      const { change } = record(former) ?? {};
      if (!change) return former;
      recorded(change);
      if (group) saved.set(name, group);
      else saved.delete(name);
      return former;
    },
  };
}
