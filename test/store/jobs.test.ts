import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { expect, onTestFinished, test } from "vitest";
import type { NewJob, TakenJob } from "../../src/changes/job.ts";
import type { NewOutboxMessage } from "../../src/changes/outbox-message.ts";
import type { JobStore } from "../../src/changes/ports.ts";
import { createJobWorker } from "../../src/jobs/worker.ts";
import { isPostgresUrl, openDatabase } from "../../src/store/db/open-database.ts";
import { aChange, aSettlement, minuteMs, quietLog } from "../changes/build.ts";
import { createClock } from "../support/clock.ts";
import { compile } from "../support/compiled.ts";
import { execute } from "../support/execute.ts";
import { newDatabase } from "../support/new-database.ts";
import { takeJob } from "./next-due.ts";
import { notifySubject } from "./notify-subject.ts";
import { openTestStore } from "./open-test-store.ts";

const start = Date.now() - 60 * minuteMs;
const job = (subjectId: string, dueAt = start, kind: NewJob["kind"] = "exclusion-end"): NewJob => ({
  kind,
  subjectId,
  dueAt,
});
const notify = (to: string): NewOutboxMessage => ({
  changeId: "chg-1",
  kind: "notify-requester",
  to,
  underChangeId: null,
});

/** A store with the real clock; `pass` advances it, also for the database. */
async function openJobs() {
  const database = await newDatabase();
  const clock = createClock();
  const open = () => openTestStore(database, { now: clock.now });
  const store = await open();
  await store.begin(aChange());
  const pass = async (ms: number) => clock.advance(ms);
  return { database, clock, open, store, pass, recipients: () => recipientsIn(database) };
}

/** The recipients of the queued messages, in order. */
async function recipientsIn(database: string): Promise<readonly string[]> {
  const db = openDatabase(database);
  const rows = await db.selectFrom("outbox").select("recipient").orderBy("id").execute();
  await db.destroy();
  return rows.map(({ recipient }) => recipient);
}

async function takeAll(store: JobStore): Promise<readonly TakenJob[]> {
  const taken: TakenJob[] = [];
  for (let next = await takeJob(store); next; next = await takeJob(store)) taken.push(next);
  return taken;
}
const subjects = (jobs: readonly TakenJob[]) => jobs.map(({ subjectId }) => subjectId);

/** Takes the next due job. */
async function take(store: JobStore): Promise<TakenJob> {
  const taken = await takeJob(store);
  if (!taken) throw new Error("There is no job.");
  return taken;
}

test("takes due jobs, earliest first, in any order of scheduling", async () => {
  const { store, pass } = await openJobs();
  const hour = 60 * minuteMs;
  await store.schedule([job("third", start + 2000), job("tomorrow", start + 25 * hour), job("first", start)]);
  await store.schedule([job("second", start + 1000, "approval-expiry")]);
  expect(subjects(await takeAll(store))).toEqual(["first", "second", "third"]);
  expect(await takeJob(store)).toBeUndefined();
  await pass(24 * hour);
  expect((await takeAll(store)).find(({ subjectId }) => subjectId === "tomorrow")).toMatchObject({
    kind: "exclusion-end",
    dueAt: start + 25 * hour,
    attempts: 1,
  });
});

test("keeps the same job once, and jobs of another time, subject or kind beside it", async () => {
  const { store } = await openJobs();
  await store.schedule([job("one"), job("one")]);
  await Promise.all([1, 2, 3].map(() => store.schedule([job("one")])));
  await store.schedule([job("one", start + 1), job("other"), job("one", start, "exclusion-warning")]);
  const taken = await takeAll(store);
  expect(taken.map(({ kind, subjectId, dueAt }) => `${kind} ${subjectId} ${dueAt - start}`).sort()).toEqual([
    "exclusion-end one 0",
    "exclusion-end one 1",
    "exclusion-end other 0",
    "exclusion-warning one 0",
  ]);
});

test("keeps an odd subject unchanged", async () => {
  const { store } = await openJobs();
  const odd = 'O\'Neil "x" \\ {a,b} ü😀 $1 %s\n--';
  await store.schedule([job(odd)]);
  const taken = await take(store);
  expect(taken.subjectId).toBe(odd);
  expect(await store.finishJob(taken, {})).toBe(true);
});

test("schedules a job with the settlement of its change, and rolls back with it", async () => {
  const { store } = await openJobs();
  const toNobody = notify(JSON.parse("null"));
  await expect(
    store.settle("chg-1", aSettlement(), { jobs: [job("not-there")], outbox: [toNobody] }),
  ).rejects.toThrow();
  expect(await takeJob(store)).toBeUndefined();
  await store.settle("chg-1", aSettlement(), { jobs: [job("there")] });
  expect(subjects(await takeAll(store))).toEqual(["there"]);
});

test("concurrent workers take each job once", async () => {
  const { database, store, open } = await openJobs();
  // Two instances on one SQLite file would have to be two processes.
  const others = isPostgresUrl(database) ? await Promise.all([open(), open(), open()]) : [store, store, store];
  await store.schedule(Array.from({ length: 40 }, (_each, index) => job(String(index), start + index)));
  const taken = await Promise.all([store, ...others].map(takeAll));
  expect(
    taken
      .flatMap(subjects)
      .map(Number)
      .sort((one, other) => one - other),
  ).toEqual(Array.from({ length: 40 }, (_each, index) => index));
});

test("queues a job's messages and further jobs with its removal", async () => {
  const { store, recipients } = await openJobs();
  await store.schedule([job("one")]);
  const taken = await take(store);
  expect(await store.finishJob(taken, { outbox: [notify("U1"), notify("U2")], jobs: [job("two")] })).toBe(true);
  expect(await recipients()).toEqual(["U1", "U2"]);
  expect(subjects(await takeAll(store))).toEqual(["two"]);
});

test("keeps a job whose effects cannot be stored", async () => {
  const { store, pass } = await openJobs();
  await store.schedule([job("one")]);
  const taken = await take(store);
  const toNobody = notify(JSON.parse("null"));
  await expect(store.finishJob(taken, { outbox: [toNobody], jobs: [job("two")] })).rejects.toThrow();
  await store.postponeJob(taken, 1000);
  await pass(1001);
  expect(subjects(await takeAll(store))).toEqual(["one"]);
});

test("returns a postponed job after its pause, with its due time and attempts", async () => {
  const { store, pass } = await openJobs();
  await store.schedule([job("one")]);
  await store.postponeJob(await take(store), 30_000);
  expect(await takeJob(store)).toBeUndefined();
  await pass(29_000);
  expect(await takeJob(store)).toBeUndefined();
  await pass(1001);
  const again = await take(store);
  expect(again).toMatchObject({ subjectId: "one", dueAt: start, attempts: 2 });
  await store.postponeJob(again, 1);
  await pass(2);
  expect(await take(store)).toMatchObject({ attempts: 3 });
});

test("gives a job to another worker after its lease, and stores its effects once", async () => {
  const { store, pass, recipients } = await openJobs();
  await store.schedule([job("one")]);
  const slow = await take(store);
  await pass(119_000);
  expect(await takeJob(store)).toBeUndefined();
  await pass(1001);
  const quick = await take(store);
  expect(quick.subjectId).toBe("one");
  const outcomes = [
    await store.finishJob(slow, { outbox: [notify("U1")] }),
    await store.finishJob(quick, { outbox: [notify("U1")] }),
  ];
  expect(outcomes.filter((isDone) => isDone)).toHaveLength(1);
  expect(await recipients()).toEqual(["U1"]);
  await pass(200_000);
  expect(await takeJob(store)).toBeUndefined();
});

test("counts how often an instance was lost over a job, and not how often it failed", async () => {
  const { store, pass } = await openJobs();
  await store.schedule([job("one")]);
  expect(await take(store)).toMatchObject({ tries: 1 });
  await pass(121_000);
  const second = await take(store);
  expect(second).toMatchObject({ tries: 2 });
  await store.postponeJob(second, 1);
  await pass(2);
  expect(await take(store)).toMatchObject({ tries: 1 });
});

test("a late worker cannot postpone a job that another has finished", async () => {
  const { store, pass } = await openJobs();
  await store.schedule([job("one")]);
  const slow = await take(store);
  await pass(121_000);
  expect(await store.finishJob(await take(store), {})).toBe(true);
  await store.postponeJob(slow, 1);
  await pass(200_000);
  expect(await takeJob(store)).toBeUndefined();
});

test("two processes do each of 100 jobs once although one is killed", async () => {
  const { database, clock, store, pass, recipients } = await openJobs();
  const names = Array.from({ length: 100 }, (_each, index) => `U${index}`);
  await store.schedule(names.map((name, index) => job(name, start + index)));
  const child = spawn(process.execPath, [compile("test/store/work-jobs.ts"), database, "10"]);
  const ended = new Promise((resolve) => child.once("close", resolve));
  onTestFinished(() => void child.kill("SIGKILL"));
  const worker = createJobWorker({
    store,
    ...notifySubject,
    giveUp: async () => ({}),
    now: clock.now,
    log: quietLog,
  });
  onTestFinished(() => worker.stop());
  for await (const line of createInterface(child.stdout)) if (line === "stuck") break;
  worker.wake();
  child.kill("SIGKILL");
  await ended;
  await worker.idle();
  expect(new Set(await recipients()).size).toBeLessThan(100);
  await pass(121_000);
  worker.wake();
  await worker.idle();
  const all = await recipients();
  expect(all).toHaveLength(100);
  expect(new Set(all)).toEqual(new Set(names));
}, 60_000);

test("ends the leases that a clock set back left ahead, also if the database failed at first", async () => {
  const { database, store, pass } = await openJobs();
  await store.schedule([job("one")]);
  await pass(60 * minuteMs);
  await take(store);
  await pass(-60 * minuteMs);
  await execute(database, "alter table outbox rename to elsewhere");
  await expect(takeJob(store)).rejects.toThrow("outbox");
  await execute(database, "update job set next_at = next_at + 3600000");
  await execute(database, "alter table elsewhere rename to outbox");
  expect(await takeJob(store)).toMatchObject({ subjectId: "one", tries: 2 });
});

test("claims what an instance was lost over alone, and beside what runs only the others", async () => {
  const { store, pass } = await openJobs();
  await store.schedule([job("lost", start), job("long", start + 1), job("other", start + 2)]);
  await take(store);
  const long = await take(store);
  await pass(121_000);
  const beside = await store.claimJobs(4, [long.id]);
  expect(beside).toMatchObject({ taken: [{ subjectId: "other", tries: 1 }], nextAt: Number.POSITIVE_INFINITY });
  await store.schedule([job("late", start + 3)]);
  const alone = await store.claimJobs(4);
  expect(alone.taken).toMatchObject([{ subjectId: "lost", tries: 2 }]);
  // The others are still due.
  expect(alone.nextAt).toBeLessThan(start + 60 * minuteMs + 130_000);
});

test("renews the lease of a job, but not of one that another instance has", async () => {
  const { store, pass } = await openJobs();
  await store.schedule([job("one")]);
  const taken = await take(store);
  await pass(119_000);
  await store.renewJob(taken);
  await pass(119_000);
  expect(await takeJob(store)).toBeUndefined();
  await pass(2000);
  const other = await take(store);
  await pass(119_000);
  await store.renewJob(taken);
  await pass(2000);
  expect(await takeJob(store)).toMatchObject({ subjectId: "one" });
  expect(await store.finishJob(other, {})).toBe(false);
});
