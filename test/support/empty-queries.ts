import { createQueries } from "../../src/changes/queries/queries.ts";
import { catalogue } from "../../src/commands/catalogue.ts";
import { usageOf } from "../../src/slack/messages/usage.ts";
import { quietLog, someSettings } from "../changes/build.ts";
import { anActor } from "../permissions/build.ts";
import { createMemoryGroups } from "./memory-groups.ts";

type Deps = Parameters<typeof createQueries>[0];
const unexpected = () => Promise.reject(new Error("This test does not ask for it."));

/** Queries where nothing was recorded or saved, unless `given` says otherwise. */
export function createEmptyQueries({
  store = {},
  ...given
}: Partial<Omit<Deps, "store">> & { readonly store?: object }) {
  return createQueries({
    store: {
      list: async () => [],
      ownWarnings: async () => [],
      saveOwnWarning: async () => undefined,
      removeOwnWarning: async () => false,
      seenAction: async () => undefined,
      seenChanges: async () => [],
      exclusionsKeeping: async () => [],
      requesters: async () => [],
      transitions: async () => [],
      waiting: async () => [],
      ...store,
    },
    ...{ groups: createMemoryGroups(), newId: () => "chg-1", log: quietLog },
    ...{ planUndo: unexpected, read: unexpected, withEmail: unexpected, settings: () => someSettings() },
    actor: async (userId) => anActor({ userId }),
    helpFor: (command) => usageOf("/curfew", command),
    commands: catalogue,
    config: () => ({ inForce: undefined, newer: undefined }),
    ...given,
  });
}
