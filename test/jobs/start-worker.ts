import { onTestFinished } from "vitest";
import type { NewOutboxMessage, OutboxStore } from "../../src/changes/ports.ts";
import { createOutbox, type OutboxOptions } from "../../src/outbox/outbox.ts";
import type { Sender } from "../../src/outbox/sender.ts";
import type { Store } from "../../src/store/open-store.ts";
import { aChange, noon, quietLog } from "../changes/build.ts";
import { openTestStore } from "../store/open-test-store.ts";
import { createStoppedClock, createTimers } from "../support/stopped-time.ts";

export const outboxMessage = (kind: NewOutboxMessage["kind"], to: string, changeId = "chg-1"): NewOutboxMessage => ({
  changeId,
  kind,
  to,
  underChangeId: null,
});

export interface WorkerOptions extends Partial<Omit<OutboxOptions, "store">> {
  readonly overrides?: Partial<OutboxStore>;
  /** One that is shared with another worker; else one with a change in it. */
  readonly store?: Store;
}

/** A worker on a real queue, with a clock that stands still until time is let pass. */
export async function startWorker(
  sender: Sender,
  queued: readonly NewOutboxMessage[],
  { overrides = {}, store: shared, ...options }: WorkerOptions = {},
) {
  const store = shared ?? (await openTestStore());
  if (!shared) await store.begin(aChange());
  await store.queue(queued, noon);
  const clock = createStoppedClock(noon);
  const timers = createTimers(clock);
  const outbox = createOutbox({
    store: { ...store, ...overrides },
    sender,
    now: clock.now,
    elapsedMs: options.now ?? clock.now,
    log: quietLog,
    requesterOf: async (changeId) => (await store.find(changeId))?.actor.userId,
    adminsChannel: () => "C0ADMINS",
    schedule: timers.schedule,
    ...options,
  });
  onTestFinished(() => outbox.stop());
  /** Lets time pass until nothing is left to wait for, or until then. */
  const run = async (isOver: () => boolean = () => false): Promise<void> => {
    outbox.wake();
    await outbox.idle();
    while (!isOver() && timers.skip()) await outbox.idle();
  };
  return { store, clock, timers, outbox, run };
}
