import { expect, onTestFinished, test } from "vitest";
import { createCleaning, nextCleaning } from "../../src/jobs/job-handlers.ts";
import { createJobWorker } from "../../src/jobs/worker.ts";
import { hourMs, noon, quietLog } from "../changes/build.ts";
import { nextJobAt } from "../store/next-due.ts";
import { notifySubject } from "../store/notify-subject.ts";
import { newDatabaseFile, openTestStore } from "../store/open-test-store.ts";

const dayMs = 24 * hourMs;
const kept = () => ({ historyMs: undefined, transientMs: 30 * dayMs });
const midnight = noon + 12 * hourMs;

/** A worker that cleans up this many old outbox messages. */
async function startCleaning(old: number) {
  const clock = { now: noon };
  const store = await openTestStore(newDatabaseFile(), { now: () => clock.now });
  const calls: (readonly [daysAgo: number, limit: number])[] = [];
  let left = old;
  const clean = async (before: number, limit: number) => {
    calls.push([(clock.now - before) / dayMs, limit]);
    const cleaned = Math.min(left, limit);
    left -= cleaned;
    return cleaned;
  };
  const handlers = {
    ...notifySubject.handlers,
    cleaning: createCleaning({
      store: { clean, pruneHistory: async () => undefined },
      retention: kept,
      now: () => clock.now,
    }),
  };
  const worker = createJobWorker({
    store,
    handlers,
    giveUp: async () => ({}),
    now: () => clock.now,
    log: quietLog,
  });
  onTestFinished(() => worker.stop());
  const startAt = async (at: number) => {
    clock.now = at;
    await store.schedule([nextCleaning(at)]);
    worker.wake();
    await worker.idle();
  };
  return { startAt, store, calls, left: () => left };
}

test("cleans what is older than 30 days every midnight, in batches", async () => {
  const { startAt, store, calls, left } = await startCleaning(1200);
  await startAt(noon);
  await startAt(midnight - 1);
  expect(calls).toEqual([]);
  expect(await nextJobAt(store)).toBe(midnight);
  await startAt(midnight);
  expect(calls).toEqual([
    [30, 500],
    [30, 500],
    [30, 500],
  ]);
  expect(left()).toBe(0);
  expect(await nextJobAt(store)).toBe(midnight + dayMs);
  await startAt(midnight + dayMs);
  expect(calls).toHaveLength(4);
});

test("runs once after an outage of days, then at midnight again", async () => {
  const { startAt, store, calls } = await startCleaning(0);
  await startAt(noon);
  await startAt(midnight + 3 * dayMs + hourMs);
  expect(calls).toHaveLength(1);
  expect(await nextJobAt(store)).toBe(midnight + 4 * dayMs);
});

test("does not repeat on an instance whose clock is behind the database's", async () => {
  const store = { clean: async () => 0, pruneHistory: async () => undefined };
  const clean = createCleaning({ store, retention: kept, now: () => midnight - 1 });
  expect(await clean("daily", midnight)).toEqual({ jobs: [nextCleaning(midnight)] });
});
