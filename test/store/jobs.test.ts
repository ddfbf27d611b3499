import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { expect, onTestFinished, test } from "vitest";
import type { JobStore, NewJob, NewOutboxMessage, TakenJob } from "../../src/changes/ports.ts";
import { createJobWorker } from "../../src/jobs/job-worker.ts";
import { isPostgresUrl, openDatabase } from "../../src/store/db/open-database.ts";
import { aChange, aSettlement, minuteMs, quietLog } from "../changes/build.ts";
import { createClock } from "../support/clock.ts";
import { execute } from "../support/execute.ts";
import { newDatabase } from "../support/new-database.ts";
import { openTestStore } from "./open-test-store.ts";
import { tellWhoIsNamed } from "./tell-who-is-named.ts";

const start = Date.now() - 60 * minuteMs;
const job = (subjectId: string, dueAt = start, kind: NewJob["kind"] = "exclusion-end"): NewJob => ({
  kind,
  subjectId,
  dueAt,
});
const tell = (to: string): NewOutboxMessage => ({
  changeId: "chg-1",
  kind: "notify-requester",
  to,
  underChangeId: null,
});

/** A store whose clock is the real one; `pass` lets time pass, for the database's own clock too. */
async function openJobs() {
  const database = await newDatabase();
  const clock = createClock();
  const open = () => openTestStore(database, { now: clock.now });
  const store = await open();
  await store.begin(aChange());
  const pass = async (ms: number) => {
    clock.advance(ms);
    if (!isPostgresUrl(database)) return;
    const earlier = (column: string) => `${column} = ${column} - interval '${ms} milliseconds'`;
    await execute(database, `update curfew_jobs.job set ${earlier("started_on")}, ${earlier("start_after")}`);
  };
  return { database, clock, open, store, pass, told: () => toldIn(database) };
}

/** Whom the queued deliveries are to, in their order. */
async function toldIn(database: string): Promise<readonly string[]> {
  const db = openDatabase(database);
  const rows = await db.selectFrom("outbox").select("recipient").orderBy("id").execute();
  await db.destroy();
  return rows.map(({ recipient }) => recipient);
}

async function takeAll(store: JobStore): Promise<readonly TakenJob[]> {
  const taken: TakenJob[] = [];
  for (let next = await store.takeJob(); next; next = await store.takeJob()) taken.push(next);
  return taken;
}
const subjects = (jobs: readonly TakenJob[]) => jobs.map(({ subjectId }) => subjectId);

/** The one that is due. */
async function take(store: JobStore): Promise<TakenJob> {
  const taken = await store.takeJob();
  if (!taken) throw new Error("There is no job.");
  return taken;
}

test("jobs are taken when they are due, those due first before others, whatever the order they were kept in", async () => {
  const { store, pass } = await openJobs();
  const hour = 60 * minuteMs;
  await store.schedule([job("third", start + 2000), job("tomorrow", start + 25 * hour), job("first", start)]);
  await store.schedule([job("second", start + 1000, "approval-expiry")]);
  expect(subjects(await takeAll(store))).toEqual(["first", "second", "third"]);
  expect(await store.takeJob()).toBeUndefined();
  await pass(24 * hour);
  expect((await takeAll(store)).find(({ subjectId }) => subjectId === "tomorrow")).toMatchObject({
    kind: "exclusion-end",
    dueAt: start + 25 * hour,
    attempts: 1,
  });
});

test("the same job is kept once; one for another time, thing or purpose beside it", async () => {
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

test("an odd name is kept as it is", async () => {
  const { store } = await openJobs();
  const odd = 'O\'Neil "x" \\ {a,b} ü😀 $1 %s\n--';
  await store.schedule([job(odd)]);
  const taken = await take(store);
  expect(taken.subjectId).toBe(odd);
  expect(await store.finishJob(taken, {})).toBe(true);
});

test("a job is kept in the transaction that settles its change, and is not when that is taken back", async () => {
  const { store } = await openJobs();
  const orphan = { ...tell("U1"), changeId: "chg-none" };
  await expect(store.settle("chg-1", aSettlement(), { jobs: [job("not-there")], outbox: [orphan] })).rejects.toThrow();
  expect(await store.takeJob()).toBeUndefined();
  await store.settle("chg-1", aSettlement(), { jobs: [job("there")] });
  expect(subjects(await takeAll(store))).toEqual(["there"]);
});

test("each job is taken by one of many who ask at once", async () => {
  const { database, store, open } = await openJobs();
  // Two on one SQLite file would have to be two processes.
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

test("what comes of a job is queued with its removal, and a further job kept", async () => {
  const { store, told } = await openJobs();
  await store.schedule([job("one")]);
  const taken = await take(store);
  expect(await store.finishJob(taken, { outbox: [tell("U1"), tell("U2")], jobs: [job("two")] })).toBe(true);
  expect(await told()).toEqual(["U1", "U2"]);
  expect(subjects(await takeAll(store))).toEqual(["two"]);
});

test("when what comes of a job cannot be queued, the job is still there", async () => {
  const { store, pass } = await openJobs();
  await store.schedule([job("one")]);
  const taken = await take(store);
  const orphan = { ...tell("U1"), changeId: "chg-none" };
  await expect(store.finishJob(taken, { outbox: [orphan], jobs: [job("two")] })).rejects.toThrow();
  await store.postponeJob(taken, 1000);
  await pass(1001);
  expect(subjects(await takeAll(store))).toEqual(["one"]);
});

test("a job that was put off comes when its pause is over, for the time it was kept for, and its tries are counted", async () => {
  const { store, pass } = await openJobs();
  await store.schedule([job("one")]);
  await store.postponeJob(await take(store), 30_000);
  expect(await store.takeJob()).toBeUndefined();
  await pass(29_000);
  expect(await store.takeJob()).toBeUndefined();
  await pass(1001);
  const again = await take(store);
  expect(again).toMatchObject({ subjectId: "one", dueAt: start, attempts: 2 });
  await store.postponeJob(again, 1);
  await pass(2);
  expect(await take(store)).toMatchObject({ attempts: 3 });
});

test("a job whose taker is silent for too long is given to another, and what comes of it comes once", async () => {
  const { store, pass, told } = await openJobs();
  await store.schedule([job("one")]);
  const slow = await take(store);
  await pass(119_000);
  expect(await store.takeJob()).toBeUndefined();
  await pass(1001);
  const quick = await take(store);
  expect(quick.subjectId).toBe("one");
  const outcomes = [
    await store.finishJob(slow, { outbox: [tell("U1")] }),
    await store.finishJob(quick, { outbox: [tell("U1")] }),
  ];
  expect(outcomes.filter((isDone) => isDone)).toHaveLength(1);
  expect(await told()).toEqual(["U1"]);
  await pass(200_000);
  expect(await store.takeJob()).toBeUndefined();
});

test("one who comes too late puts nothing off that was done meanwhile", async () => {
  const { store, pass } = await openJobs();
  await store.schedule([job("one")]);
  const slow = await take(store);
  await pass(121_000);
  expect(await store.finishJob(await take(store), {})).toBe(true);
  await store.postponeJob(slow, 1);
  await pass(200_000);
  expect(await store.takeJob()).toBeUndefined();
});

test("of 500 jobs that two processes work at, all are done once although one process is killed", async () => {
  const { database, clock, store, pass, told } = await openJobs();
  const names = Array.from({ length: 500 }, (_each, index) => `U${index}`);
  await store.schedule(names.map((name, index) => job(name, start + index)));
  const child = spawn(process.execPath, ["--import", "tsx", "test/store/work-jobs.ts", database, "50"]);
  const ended = new Promise((resolve) => child.once("close", resolve));
  onTestFinished(() => void child.kill("SIGKILL"));
  const worker = createJobWorker({
    store,
    ...tellWhoIsNamed,
    now: clock.now,
    log: quietLog,
    wakeOutbox: () => undefined,
  });
  onTestFinished(() => worker.stop());
  for await (const line of createInterface(child.stdout)) if (line === "stuck") break;
  worker.wake();
  child.kill("SIGKILL");
  await ended;
  await worker.idle();
  expect(new Set(await told()).size).toBeLessThan(500);
  await pass(121_000);
  worker.wake();
  await worker.idle();
  const all = await told();
  expect(all).toHaveLength(500);
  expect(new Set(all)).toEqual(new Set(names));
}, 60_000);
