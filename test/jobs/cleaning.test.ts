import { expect, onTestFinished, test } from "vitest";
import { createCleaning, nextCleaning } from "../../src/jobs/cleaning.ts";
import { createJobWorker } from "../../src/jobs/job-worker.ts";
import { hourMs, noon, quietLog } from "../changes/build.ts";
import { newDatabaseFile, openTestStore } from "../store/open-test-store.ts";
import { tellWhoIsNamed } from "../store/tell-who-is-named.ts";

const dayMs = 24 * hourMs;
const midnight = noon + 12 * hourMs;

/** A worker that cleans up; there are this many old deliveries. */
async function startCleaning(old: number) {
  const clock = { now: noon };
  const store = await openTestStore(newDatabaseFile(), { now: () => clock.now });
  const asked: (readonly [daysAgo: number, limit: number])[] = [];
  let left = old;
  const clean = async (before: number, limit: number) => {
    asked.push([(clock.now - before) / dayMs, limit]);
    const cleaned = Math.min(left, limit);
    left -= cleaned;
    return cleaned;
  };
  const handlers = { ...tellWhoIsNamed.handlers, cleaning: createCleaning(clean, () => clock.now) };
  const worker = createJobWorker({
    store,
    handlers,
    now: () => clock.now,
    log: quietLog,
    wakeOutbox: () => undefined,
  });
  onTestFinished(() => worker.stop());
  const startAt = async (at: number) => {
    clock.now = at;
    await store.schedule([nextCleaning(at)]);
    worker.wake();
    await worker.idle();
  };
  return { startAt, store, asked, left: () => left };
}

test("every midnight what is older than 30 days is cleaned away, some at a time until all is gone", async () => {
  const { startAt, store, asked, left } = await startCleaning(1200);
  await startAt(noon);
  await startAt(midnight - 1);
  expect(asked).toEqual([]);
  expect(await store.nextJobAt()).toBe(midnight);
  await startAt(midnight);
  expect(asked).toEqual([
    [30, 500],
    [30, 500],
    [30, 500],
  ]);
  expect(left()).toBe(0);
  expect(await store.nextJobAt()).toBe(midnight + dayMs);
  await startAt(midnight + dayMs);
  expect(asked).toHaveLength(4);
});

test("after an outage of days it is done once, and then at midnight again", async () => {
  const { startAt, store, asked } = await startCleaning(0);
  await startAt(noon);
  await startAt(midnight + 3 * dayMs + hourMs);
  expect(asked).toHaveLength(1);
  expect(await store.nextJobAt()).toBe(midnight + 4 * dayMs);
});

test("a instance whose clock is behind the database's does not clean up over and over", async () => {
  const clean = createCleaning(
    async () => 0,
    () => midnight - 1,
  );
  expect(await clean("daily", midnight)).toEqual({ jobs: [nextCleaning(midnight)] });
});
