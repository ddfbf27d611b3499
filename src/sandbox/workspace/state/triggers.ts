import type { Ids } from "./ids.ts";

export interface Trigger {
  readonly userId: string;
  /** The modal it came from. Without one the trigger cannot push. */
  readonly viewId: string | null;
}

export type TriggerError = "expired_trigger_id" | "exchanged_trigger_id" | "invalid_trigger_id";

/** Permission to open one view, valid for three seconds (PLATFORM.md §5). */
export interface Triggers {
  issue(trigger: Trigger): string;
  /** Uses it up, even when the view is then invalid. Slack does not document this, so the stricter reading applies. */
  exchange(id: string): Trigger | TriggerError;
}

const lifetimeMs = 3000;

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
      if (now() - trigger.issuedAt > lifetimeMs) return "expired_trigger_id";
      exchanged.add(id);
      return trigger;
    },
  };
}

function digits(ids: Ids): string {
  return String(Number.parseInt(ids.hex(10), 16) + 1e9);
}
