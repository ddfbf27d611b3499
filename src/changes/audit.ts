import type { ConfigInForce } from "../commands/config-state.ts";
import type { Logger } from "../observability/log.ts";

/** Events of the history that are about no change, by name. They have ids, and no names, addresses or reasons of people. */
export interface AuditEvents {
  readonly refused: Refused;
  /** A config that loosens something waits for the admins. */
  readonly "config-held": LoosenedBy & { readonly newer: string };
  readonly "config-decided": { readonly actor: string; readonly verdict: string };
  readonly "config-in-force": LoosenedBy & { readonly actor: string };
  readonly imported: { readonly actor: string; readonly count: number };
  /** Old entries were deleted, by what the config says. */
  readonly pruned: Anchor & { readonly actor: string };
  /** Texts about a person were deleted by an operator. */
  readonly forgotten: Anchor & { readonly actor: string; readonly person: readonly string[]; readonly count: number };
  /** Requests of a minute that were over a limit. */
  readonly limited: { readonly actor: string; readonly count: number };
  /** Requests of a minute that had no token of a caller. */
  readonly "bad-token": { readonly count: number };
}

interface Refused {
  readonly command: string;
  readonly actor: string;
  readonly channel: string | null;
  readonly rule: string;
}

interface LoosenedBy {
  readonly loosens: readonly string[];
}

/** Where the whole history begins: what was before is deleted, but for some entries. Each anchor takes the place of the one before. */
export interface Anchor {
  /** How many entries were deleted in all. */
  readonly pruned: number;
  /** The place of the last one, and its hash. */
  readonly through: number;
  readonly anchor: string;
  /** How many entries are left from before it, or have forgotten texts, and a hash over them. */
  readonly kept: number;
  readonly seal: string;
}

export type EventFacts = AuditEvents[keyof AuditEvents];
export type OnRefused = (refused: Refused) => void;

export interface AuditStore {
  /** Appends an event to the history. */
  appendEvent<K extends keyof AuditEvents>(name: K, at: number, event: AuditEvents[K]): Promise<void>;
  /** Appends that this config is in force, unless it was already. */
  configInForce(at: number, hash: string, event: AuditEvents["config-in-force"]): Promise<ConfigInForce>;
}

interface AuditPorts {
  readonly store: Pick<AuditStore, "appendEvent">;
  readonly now: () => number;
  readonly log: Logger;
  readonly countMs?: number;
}

export type Audit = ReturnType<typeof createAudit>;

const minuteMs = 60_000;

/** Records events one after the other, in the background: nobody waits for it, and nobody is refused because it fails. */
export function createAudit({ store, now, log, countMs = minuteMs }: AuditPorts) {
  let last: Promise<unknown> = Promise.resolve();
  const counts = new Map<string, { count: number; end: () => void }>();
  const record = <K extends keyof AuditEvents>(name: K, event: AuditEvents[K]): void => {
    const at = now();
    last = last
      .then(() => store.appendEvent(name, at, event))
      .catch((err: unknown) => log.error({ err, event: name, facts: event }, "an audit event could not be recorded"));
  };
  /** Records once a minute how often it happened. */
  const count = (key: string, write: (count: number) => void): void => {
    const counted = counts.get(key) ?? { count: 0, end: () => undefined };
    counted.count += 1;
    if (counts.has(key)) return;
    counts.set(key, counted);
    const timer = setTimeout(() => counted.end(), countMs).unref();
    counted.end = () => {
      clearTimeout(timer);
      counts.delete(key);
      write(counted.count);
    };
  };
  return {
    record,
    refused: (refused: Refused): void => record("refused", refused),
    limited: (actor: string): void => count(actor, (times) => record("limited", { actor, count: times })),
    badToken: (): void => count("", (times) => record("bad-token", { count: times })),
    idle: async (): Promise<void> => void (await last),
    /** Records what was counted so far, and waits for it. */
    stop: async (): Promise<void> => {
      for (const { end } of [...counts.values()]) end();
      await last;
    },
  };
}
