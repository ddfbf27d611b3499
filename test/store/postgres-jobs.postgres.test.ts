import { expect, test } from "vitest";
import type { NewJob } from "../../src/changes/job.ts";
import { aChange } from "../changes/build.ts";
import { execute } from "../support/execute.ts";
import { newDatabase } from "../support/new-database.ts";
import { takeJob } from "./next-due.ts";
import { openTestStore } from "./open-test-store.ts";

const dueAt = Date.now() - 60_000;
const job = (subjectId: string): NewJob => ({ kind: "exclusion-end", subjectId, dueAt });

test("five instances that start together on an empty database share one queue", async () => {
  const database = await newDatabase("empty");
  const stores = await Promise.all([1, 2, 3, 4, 5].map(() => openTestStore(database, { now: Date.now })));
  await Promise.all(stores.map((store, index) => store.schedule([job("one"), job(`job-${index}`)])));
  const taken = await Promise.all([...stores, ...stores].map((store) => takeJob(store)));
  const subjects = taken.flatMap((each) => (each ? [each.subjectId] : []));
  expect(subjects.sort()).toEqual(["job-0", "job-1", "job-2", "job-3", "job-4", "one"]);
});

test("a failed statement to look for jobs rejects, and leaves no connection in a transaction", async () => {
  const database = await newDatabase();
  const store = await openTestStore(database, { now: Date.now });
  await store.begin(aChange());
  await execute(database, "alter table job rename to gone");
  for (let count = 0; count < 6; count++) await expect(takeJob(store)).rejects.toThrow("job");
  await Promise.all([1, 2, 3, 4, 5, 6].map(() => store.find("chg-1")));
});
