import { expect, test } from "vitest";
import type { NewJob } from "../../src/changes/job.ts";
import { aChange } from "../changes/build.ts";
import { execute } from "../support/execute.ts";
import { newDatabase } from "../support/new-database.ts";
import { openTestStore } from "./open-test-store.ts";

const dueAt = Date.now() - 60_000;
const job = (subjectId: string): NewJob => ({ kind: "exclusion-end", subjectId, dueAt });

test("five instances that start together on an empty database share one queue", async () => {
  const database = await newDatabase("empty");
  const stores = await Promise.all([1, 2, 3, 4, 5].map(() => openTestStore(database, { now: Date.now })));
  await Promise.all(stores.map((store, index) => store.schedule([job("one"), job(`job-${index}`)])));
  const taken = await Promise.all([...stores, ...stores].map((store) => store.takeJob()));
  const subjects = taken.flatMap((each) => (each ? [each.subjectId] : []));
  expect(subjects.sort()).toEqual(["job-0", "job-1", "job-2", "job-3", "job-4", "one"]);
});

test("a failed statement to look for jobs rejects, and leaves no connection in a transaction", async () => {
  const database = await newDatabase();
  const store = await openTestStore(database, { now: Date.now });
  await store.begin(aChange());
  await execute(database, "alter table job rename to gone");
  for (let count = 0; count < 6; count++) await expect(store.takeJob()).rejects.toThrow("job");
  await Promise.all([1, 2, 3, 4, 5, 6].map(() => store.find("chg-1")));
});

/** The columns of pg-boss 10 that earlier versions of Curfew used. */
const formerQueue = `
  create schema curfew_jobs;
  create type curfew_jobs.job_state as enum ('created', 'retry', 'active', 'completed', 'cancelled', 'failed');
  create table curfew_jobs.job (
    id uuid primary key default gen_random_uuid(), name text not null, data jsonb, state curfew_jobs.job_state not null,
    start_after timestamptz not null default now(), started_on timestamptz, expire_in interval not null default '2 minutes'
  )`;

test("takes over the jobs of a version that kept them in pg-boss, but not those that it still performs", async () => {
  const database = await newDatabase();
  await execute(database, formerQueue);
  const former = (subjectId: string, state: string, startedOn = "null") =>
    execute(
      database,
      `insert into curfew_jobs.job (name, data, state, start_after, started_on) values ('later',
        '{"kind": "exclusion-end", "subjectId": "${subjectId}", "dueAt": ${dueAt}, "attempts": 1}', '${state}',
        now() - interval '1 minute', ${startedOn})`,
    );
  await former("waiting", "created");
  await former("lost", "active", "now() - interval '3 minutes'");
  await former("performed", "active", "now()");
  const store = await openTestStore(database, { now: Date.now });
  const taken = [await store.takeJob(), await store.takeJob(), await store.takeJob()];
  expect(taken.map((each) => each?.subjectId).sort()).toEqual(["lost", "waiting", undefined]);
  expect(taken[0]).toMatchObject({ kind: "exclusion-end", dueAt, attempts: 2 });
});
