import type { Ids } from "./ids.ts";

export interface Trigger {
  readonly userId: string;
  /** The modal it came from; only such a trigger can push. */
  readonly viewId: string | null;
}

export type TriggerError = "expired_trigger_id" | "exchanged_trigger_id" | "invalid_trigger_id";

/** Permission to open a view: good for three seconds and once (platform.md §5). */
export interface Triggers {
  issue(trigger: Trigger): string;
  /** Uses it up, also when the view then turns out to be invalid: Slack does not say, and the harder reading is the safe one. */
  exchange(id: string): Trigger | TriggerError;
}

const lifeMs = 3000;

export function createTriggers(ids: Ids, now: () => number): Triggers {
  const issued = new Map<string, Trigger & { readonly issuedAt: number }>();
  const exchanged = new Set<string>();
  return {
    issue: (trigger) => {
      const id = `${digits(ids)}.${digits(ids)}.${ids.hex(32)}`;
      issued.set(id, { ...trigger, issuedAt: now() });
      return id;
    },
    exchange: (id) => {
      const trigger = issued.get(id);
      if (trigger === undefined) return "invalid_trigger_id";
      if (exchanged.has(id)) return "exchanged_trigger_id";
      if (now() - trigger.issuedAt > lifeMs) return "expired_trigger_id";
      exchanged.add(id);
      return trigger;
    },
  };
}

function digits(ids: Ids): string {
  return String(Number.parseInt(ids.hex(10), 16) + 1e9);
}
