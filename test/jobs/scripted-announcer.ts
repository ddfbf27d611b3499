import type { Delivery } from "../../src/changes/ports.ts";
import type { Announcer, DeliveryResult } from "../../src/jobs/announcer.ts";

export interface ScriptedAnnouncer extends Announcer {
  /** What was to be told, in order, as "kind recipient". */
  readonly told: readonly string[];
  /** Resolves when this many have been told. */
  until(count: number): Promise<void>;
}

/** As Slack says where a delivery was posted; nothing for a card that is only drawn again. */
export function postedAs({ id, kind, to }: Delivery): DeliveryResult {
  const posted = { channelId: to, ts: `${id}.000001`, threadTs: null };
  return kind === "update" ? { kind: "delivered" } : { kind: "delivered", posted };
}

/** An announcer whose answers a test writes. */
export function createScriptedAnnouncer(
  answer: (delivery: Delivery, count: number) => DeliveryResult | Promise<DeliveryResult> = postedAs,
): ScriptedAnnouncer {
  const told: string[] = [];
  const waiting = new Set<() => void>();
  return {
    told,
    deliver: async (delivery) => {
      told.push(`${delivery.kind} ${delivery.to}`);
      for (const look of waiting) look();
      return answer(delivery, told.length);
    },
    until: (count) =>
      new Promise((resolve) => {
        const look = () => {
          if (told.length < count) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
      }),
  };
}
