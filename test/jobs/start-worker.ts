import { onTestFinished } from "vitest";
import type { DeliveryStore, NewDelivery } from "../../src/changes/ports.ts";
import type { Announcer } from "../../src/jobs/announcer.ts";
import { createDeliveries, type DeliveryOptions } from "../../src/jobs/deliveries.ts";
import type { Store } from "../../src/store/open-store.ts";
import { aChange, noon, quietLog } from "../changes/build.ts";
import { openTestStore } from "../store/open-test-store.ts";
import { createStoppedClock, createTimers } from "../support/stopped-time.ts";

export const delivery = (kind: NewDelivery["kind"], to: string, changeId = "chg-1"): NewDelivery => ({
  changeId,
  kind,
  to,
  underChangeId: null,
});

export interface WorkerOptions extends Partial<Omit<DeliveryOptions, "store">> {
  readonly overrides?: Partial<DeliveryStore>;
  /** One that is shared with another worker; else one with a change in it. */
  readonly store?: Store;
}

/** A worker on a real queue, with a clock that stands still until time is let pass. */
export async function startWorker(
  announcer: Announcer,
  queued: readonly NewDelivery[],
  { overrides = {}, store: shared, ...options }: WorkerOptions = {},
) {
  const store = shared ?? (await openTestStore());
  if (!shared) await store.begin(aChange());
  await store.queue(queued, noon);
  const clock = createStoppedClock(noon);
  const timers = createTimers(clock);
  const deliveries = createDeliveries({
    store: { ...store, ...overrides },
    announcer,
    now: clock.now,
    elapsedMs: options.now ?? clock.now,
    log: quietLog,
    askerOf: async (changeId) => (await store.find(changeId))?.actor.userId,
    adminsChannel: () => "C0ADMINS",
    schedule: timers.schedule,
    ...options,
  });
  onTestFinished(() => deliveries.stop());
  /** Lets time pass until nothing is left to wait for, or until then. */
  const run = async (isOver: () => boolean = () => false): Promise<void> => {
    deliveries.kick();
    await deliveries.idle();
    while (!isOver() && timers.skip()) await deliveries.idle();
  };
  return { store, clock, timers, deliveries, run };
}
