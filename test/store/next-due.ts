import type { TakenJob } from "../../src/changes/job.ts";
import type { OutboxMessage, Pace } from "../../src/changes/outbox-message.ts";
import type { JobStore, OutboxStore } from "../../src/changes/ports.ts";
import { noon } from "../changes/build.ts";

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
  const { taken } = await store.claim(now, leaseMs, pace, 1);
  return taken[0];
}

export const claimSome = async (store: OutboxStore, ...claim: Parameters<OutboxStore["claim"]>) =>
  (await store.claim(...claim)).taken;

/** When the next message can be sent, as seen just before noon; undefined if none waits. */
export async function nextDueAt(store: OutboxStore, gapMs: number): Promise<number | undefined> {
  const { nextAt } = await store.claim(noon - 500, 0, { ...unhurried, gapMs }, 1);
  return Number.isFinite(nextAt) ? nextAt : undefined;
}

export async function takeJob(store: JobStore): Promise<TakenJob | undefined> {
  const { taken } = await store.claimJobs(1);
  return taken[0];
}

/** When the next job can be taken, if none can now; undefined if there is none. */
export async function nextJobAt(store: JobStore): Promise<number | undefined> {
  const { nextAt } = await store.claimJobs(1);
  return Number.isFinite(nextAt) ? nextAt : undefined;
}
