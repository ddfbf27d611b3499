import type { OutboxMessage, Pace } from "../../src/changes/outbox-message.ts";
import type { OutboxStore } from "../../src/changes/ports.ts";

/** No pause between messages, and no summaries. */
export const unhurried: Pace = { gapMs: 0, burst: { moreThan: Number.POSITIVE_INFINITY, withinMs: 0 } };

/** The message that would be sent next; it stays due. */
export function nextDue(store: OutboxStore, now: number): Promise<OutboxMessage | undefined> {
  return claimOne(store, now, 0, unhurried);
}

export async function claimOne(
  store: OutboxStore,
  now: number,
  leaseMs: number,
  pace: Pace,
): Promise<OutboxMessage | undefined> {
  const [message] = await store.claim(now, leaseMs, pace, 1);
  return message;
}
