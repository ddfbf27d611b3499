import type { ConfigState } from "../commands/config-state.ts";
import type { AuditStore } from "./audit.ts";

export type FollowedConfig = ReturnType<typeof createFollowedConfig>;

/** Which config is in force, by the history, and whether a newer file is not used. */
export function createFollowedConfig(now: () => number) {
  let state: ConfigState = { inForce: undefined, newer: undefined };
  return {
    state: () => state,
    /** Of a newer file that is not used; undefined when there is none any more. */
    noteNewer: (kind: "held" | "invalid" | undefined): void => {
      if (state.newer?.kind !== kind) state = { ...state, newer: kind && { kind, since: now() } };
    },
    /** Records that this config is in force. `actor`: who let it in. */
    taken: async (store: AuditStore, hash: string, actor: string, loosens: readonly string[] = []): Promise<void> => {
      state = { inForce: await store.configInForce(now(), hash, { actor, loosens }), newer: undefined };
    },
  };
}
