import { expect, onTestFinished, test } from "vitest";
import type { NewJob } from "../../src/changes/job.ts";
import type { JobEffects, JobStore } from "../../src/changes/ports.ts";
import { createJobWorker } from "../../src/jobs/worker.ts";
import { createLogger } from "../../src/observability/log.ts";
import { openDatabase } from "../../src/store/db/open-database.ts";
import { aChange, minuteMs, noon } from "../changes/build.ts";
import { nextDue, nextJobAt, takeJob } from "../store/next-due.ts";
import { handleEach } from "../store/notify-subject.ts";
import { newDatabaseFile, openTestStore } from "../store/open-test-store.ts";
import { execute } from "../support/execute.ts";
import { createSignal } from "../support/signal.ts";
import { createTimers } from "../support/stopped-time.ts";

type Handle = (subjectId: string, dueAt: number) => Promise<JobEffects>;

const job = (subjectId: string, dueAt = noon, kind: NewJob["kind"] = "exclusion-end"): NewJob => ({
  kind,
  subjectId,
  dueAt,
});

/** A worker on a real store with a manual clock; `handle` does jobs of every kind. */
async function startWorker(
  jobs: readonly NewJob[],
  handle: Handle = async () => ({}),
  broken: Partial<JobStore> = {},
  hasStoppedTimers = false,
) {
  const clock = { now: noon };
  const file = newDatabaseFile();
  const store = await openTestStore(file, { now: () => clock.now });
  await store.begin(aChange());
  await store.schedule(jobs);
  const done: string[] = [];
  const givenUp: string[] = [];
  const logged: string[] = [];
  let outbox = 0;
  store.onCommitted((what) => {
    if (what === "messages") outbox++;
  });
  const handler = async (subjectId: string, dueAt: number) => {
    done.push(subjectId);
    return handle(subjectId, dueAt);
  };
  const timers = createTimers({
    now: () => clock.now,
    advance: (ms) => {
      clock.now += ms;
    },
  });
  const worker = createJobWorker({
    ...(hasStoppedTimers ? { schedule: timers.schedule } : {}),
    store: { ...store, ...broken },
    handlers: handleEach(handler),
    giveUp: async (_kind, subjectId) => {
      givenUp.push(subjectId);
      return {};
    },
    now: () => clock.now,
    log: createLogger({ level: "warn", destination: { write: (line: string) => void logged.push(line) } }),
  });
  onTestFinished(() => worker.stop());
  const settle = async () => {
    worker.wake();
    await worker.idle();
  };
  return { file, store, clock, timers, worker, done, givenUp, logged, settle, outbox: () => outbox };
}

test("does due jobs once, earliest first", async () => {
  const { clock, done, settle, store } = await startWorker([
    job("later", noon + minuteMs),
    job("second", noon),
    job("first", noon - minuteMs),
    job("third", noon, "approval-expiry"),
  ]);
  await settle();
  expect(done).toEqual(["first", "second", "third"]);
  expect(await nextJobAt(store)).toBe(noon + minuteMs);
  await settle();
  clock.now = noon + minuteMs;
  await settle();
  expect(done).toEqual(["first", "second", "third", "later"]);
  expect(await nextJobAt(store)).toBeUndefined();
});

test("wakes by itself for the next due job, also one scheduled while it slept", async () => {
  const gate = createSignal();
  const { clock, store, worker } = await startWorker([job("far", noon + minuteMs)], async () => {
    gate.give();
    return {};
  });
  worker.wake();
  await worker.idle();
  await store.schedule([job("near", noon + 10)]);
  clock.now = noon + 10;
  await gate.given;
});

test("queues a job's messages, wakes the outbox and does further jobs", async () => {
  const message = { changeId: "chg-1", kind: "notify-requester", to: "U01ALICE", underChangeId: null } as const;
  const { done, settle, store, outbox } = await startWorker([job("one")], async (subjectId) =>
    subjectId === "one" ? { outbox: [message], jobs: [job("two")] } : {},
  );
  await settle();
  expect(done).toEqual(["one", "two"]);
  expect(outbox()).toBe(1);
  expect(await nextDue(store, noon)).toMatchObject(message);
});

test("retries a failing job with backoff, forever, and logs each failure", async () => {
  let isBroken = true;
  const { clock, done, settle, store, logged } = await startWorker([job("one"), job("other")], async (subjectId) => {
    if (subjectId === "one" && isBroken) throw new Error("the service is down");
    return {};
  });
  const pauses: number[] = [];
  for (let count = 0; count < 12; count++) {
    await settle();
    const next = (await nextJobAt(store)) ?? 0;
    pauses.push((next - clock.now) / 1000);
    clock.now = next;
  }
  expect(pauses).toEqual([2, 4, 8, 16, 32, 64, 128, 256, 512, 600, 600, 600]);
  expect(logged).toHaveLength(12);
  expect(logged[11]).toContain("the service is down");
  expect(logged[11]).toContain('"subjectId":"one"');
  isBroken = false;
  await settle();
  expect(done.filter((each) => each === "one")).toHaveLength(13);
  expect(done.filter((each) => each === "other")).toHaveLength(1);
  expect(await nextJobAt(store)).toBeUndefined();
});

test("queues a job's messages once, after the attempt that succeeds", async () => {
  const message = { changeId: "chg-1", kind: "notify-requester", to: "U01ALICE", underChangeId: null } as const;
  let tries = 0;
  const { clock, settle, store } = await startWorker([job("one")], async () => ({ outbox: [message, message] }), {
    finishJob: async (taken, effects) => {
      if (tries++ === 0) throw new Error("database is locked");
      return real(taken, effects);
    },
  });
  const real: JobStore["finishJob"] = store.finishJob;
  await settle();
  expect(await nextDue(store, noon)).toBeUndefined();
  clock.now = noon + minuteMs;
  await settle();
  const first = await nextDue(store, clock.now);
  expect(first).toMatchObject(message);
});

test("a slow job blocks no other, and stop waits for it and takes no more", async () => {
  const gate = createSignal();
  const others = createSignal();
  const { clock, done, worker, store } = await startWorker([job("slow"), job("quick")], async (subjectId) => {
    if (subjectId === "slow") await gate.given;
    if (subjectId === "later") others.give();
    return {};
  });
  worker.wake();
  await store.schedule([job("later", noon + 1)]);
  clock.now = noon + 1;
  worker.wake();
  await others.given;
  let isStopped = false;
  const stopped = worker.stop().then(() => {
    isStopped = true;
  });
  await store.find("chg-1");
  expect(isStopped).toBe(false);
  gate.give();
  await stopped;
  await store.schedule([job("never", noon + 2)]);
  clock.now = noon + 2;
  worker.wake();
  await worker.idle();
  expect(done).toEqual(["slow", "quick", "later"]);
  expect(await takeJob(store)).toMatchObject({ subjectId: "never" });
});

test("runs at most four jobs concurrently", async () => {
  const gate = createSignal();
  let running = 0;
  let most = 0;
  const four = createSignal();
  const jobs = Array.from({ length: 10 }, (_each, index) => job(String(index)));
  const { done, worker } = await startWorker(jobs, async () => {
    most = Math.max(most, ++running);
    if (running === 4) four.give();
    await gate.given;
    running--;
    return {};
  });
  worker.wake();
  await four.given;
  gate.give();
  await worker.idle();
  expect(done).toHaveLength(10);
  expect(most).toBe(4);
});

test("keeps and logs a job of unknown kind", async () => {
  const { file, settle, store, done, logged } = await startWorker([job("known")]);
  await execute(
    file,
    `insert into job (kind, subject_id, due_at, next_at, attempts) values ('x-ray', 'one', ${noon}, ${noon}, 0)`,
  );
  await settle();
  expect(done).toEqual(["known"]);
  expect(logged).toHaveLength(1);
  expect(logged[0]).toContain("this version has no handler for jobs of kind x-ray");
  expect(await nextJobAt(store)).toBe(noon + 2000);
});

test("resumes after a database failure", async () => {
  let fails = 1;
  const { done, settle, store, logged } = await startWorker([job("one")], undefined, {
    claimJobs: async (limit) => {
      if (fails-- > 0) throw new Error("database is locked");
      return store.claimJobs(limit);
    },
  });
  await settle();
  expect(done).toEqual([]);
  expect(logged[0]).toContain("database is locked");
  await settle();
  expect(done).toEqual(["one"]);
});

test("stores nothing for a job that was given to another worker", async () => {
  const message = { changeId: "chg-1", kind: "notify-requester", to: "U01ALICE", underChangeId: null } as const;
  const { clock, settle, store, logged, outbox } = await startWorker([job("one")], async () => {
    clock.now += 3 * minuteMs;
    expect(await takeJob(store)).toMatchObject({ subjectId: "one", attempts: 2 });
    return { outbox: [message] };
  });
  await settle();
  expect(logged[0]).toContain("given to another");
  expect(outbox()).toBe(0);
  expect(await nextDue(store, clock.now)).toBeUndefined();
});

test("runs what an instance was lost over alone and once more, then gives it up", async () => {
  const gate = createSignal();
  const { clock, done, givenUp, logged, store, worker } = await startWorker(
    [job("deadly", noon), job("other", noon + 1)],
    async () => {
      await gate.given;
      return {};
    },
  );
  // Claims of instances that end before they have done it.
  const lose = async (count: number) => {
    for (let taken = 0; taken < count; taken++) await takeJob(store);
    clock.now += 121_000;
  };
  clock.now += 1;
  await lose(2);
  worker.wake();
  await expect.poll(() => done).toEqual(["deadly"]);
  gate.give();
  await worker.idle();
  expect(done).toEqual(["deadly", "other"]);
  expect(await nextJobAt(store)).toBeUndefined();
  await store.schedule([job("deadly", noon)]);
  await lose(1);
  await lose(1);
  worker.wake();
  await worker.idle();
  expect(done).toEqual(["deadly", "other"]);
  expect(givenUp).toEqual(["deadly"]);
  expect(logged.join()).toContain("a job was given up");
  expect(await nextJobAt(store)).toBeUndefined();
});

/** A worker that does a job until the signal; others are done immediately. */
async function startLong(hasStoppedTimers = false) {
  const gate = createSignal();
  const started = createSignal();
  const handle = async (subjectId: string) => {
    started.give();
    if (subjectId === "long") await gate.given;
    return {};
  };
  const parts = await startWorker([job("long")], handle, {}, hasStoppedTimers);
  parts.worker.wake();
  await started.given;
  return { ...parts, gate };
}

test("renews the lease of a job while it runs", async () => {
  const { clock, timers, done, gate, logged, store, worker } = await startLong(true);
  while (clock.now < noon + 10 * minuteMs) {
    await expect.poll(() => timers.skip()).toBe(true);
    await expect.poll(() => nextJobAt(store)).toBe(clock.now + 120_000);
    // Another instance is given nothing.
    expect(await takeJob(store)).toBeUndefined();
  }
  gate.give();
  await worker.idle();
  expect(timers.skip()).toBe(false);
  expect(done).toEqual(["long"]);
  expect(logged).toEqual([]);
  expect(await nextJobAt(store)).toBeUndefined();
});

test("a job that outlives its lease holds up no other, and is done once", async () => {
  const { clock, done, gate, givenUp, logged, store, worker } = await startLong();
  for (const subjectId of ["one", "two", "three"]) {
    // The clock was set forward: no lease is renewed in time.
    clock.now += 121_000;
    await store.schedule([job(subjectId, clock.now)]);
    worker.wake();
    await expect.poll(() => done.at(-1)).toBe(subjectId);
  }
  gate.give();
  await worker.idle();
  clock.now += 121_000;
  worker.wake();
  await worker.idle();
  expect(done).toEqual(["long", "one", "two", "three"]);
  expect([...givenUp, ...logged]).toEqual([]);
  expect(await nextJobAt(store)).toBeUndefined();
});

test("what an instance was lost over is claimed only when nothing else runs, and holds up no other until then", async () => {
  const { clock, done, file, gate, store, worker } = await startLong();
  await store.schedule([job("lost", noon - 1)]);
  expect(await takeJob(store)).toMatchObject({ subjectId: "lost" });
  clock.now += 121_000;
  await store.schedule([job("other", clock.now)]);
  worker.wake();
  await expect.poll(() => done).toEqual(["long", "other"]);
  const db = openDatabase(file);
  onTestFinished(() => db.destroy());
  const lost = await db.selectFrom("job").select(["next_at", "tries"]).where("subject_id", "=", "lost").execute();
  // Its lease has not begun again.
  expect(lost).toEqual([{ next_at: noon + 120_000, tries: 1 }]);
  gate.give();
  await worker.idle();
  expect(done).toEqual(["long", "other", "lost"]);
});
