import { onTestFinished } from "vitest";
import type { NewOutboxMessage } from "../../src/changes/outbox-message.ts";
import type { OutboxStore } from "../../src/changes/ports.ts";
import type { Sender } from "../../src/outbox.ts";
import { createOutbox, type OutboxOptions } from "../../src/outbox.ts";
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
  /** A store shared with another worker; by default a new one with one change. */
  readonly store?: Store;
}

/** An outbox on a real store with a manual clock. */
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
    linkTo: async () => undefined,
    requesterOf: async (changeId) => (await store.find(changeId))?.actor.userId,
    adminsChannel: () => "C0ADMINS",
    schedule: timers.schedule,
    ...options,
  });
  onTestFinished(() => outbox.stop());
  /** Advances time until no timer is left, or `isOver`. */
  const run = async (isOver: () => boolean = () => false): Promise<void> => {
    outbox.wake();
    await outbox.idle();
    while (!isOver() && timers.skip()) await outbox.idle();
  };
  return { store, clock, timers, outbox, run };
}
