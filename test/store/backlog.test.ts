import { expect, test } from "vitest";
import { aChange } from "../changes/build.ts";
import { execute } from "../support/execute.ts";
import { newDatabase } from "../support/new-database.ts";
import { claimOne, takeJob, unhurried } from "./next-due.ts";
import { openTestStore } from "./open-test-store.ts";

const anHourAgo = Date.now() - 3_600_000;

/** By the real time, which the database uses too. */
async function openBacklog() {
  const database = await newDatabase();
  const store = await openTestStore(database, { now: Date.now });
  return { database, store, backlog: () => store.backlog(Date.now()) };
}

test("is empty when empty waits", async () => {
  const { backlog } = await openBacklog();
  const empty = { announcements: 0, oldestAnnouncementAt: undefined, approvals: 0, overdueSince: undefined };
  expect(await backlog()).toEqual(empty);
});

test("counts announcements until they are sent or abandoned", async () => {
  const { store, backlog } = await openBacklog();
  await store.begin(aChange());
  const message = { changeId: "chg-1", kind: "notify-requester", to: "U01ALICE", underChangeId: null } as const;
  const claimed = async () => (await claimOne(store, Date.now(), 60_000, unhurried))?.id ?? 0;
  for (const at of [anHourAgo, anHourAgo + 1000, anHourAgo + 2000]) await store.queue([message], at);
  expect(await backlog()).toMatchObject({ announcements: 3, oldestAnnouncementAt: anHourAgo });
  await store.markSent(await claimed(), undefined, Date.now());
  expect(await backlog()).toMatchObject({ announcements: 2, oldestAnnouncementAt: anHourAgo + 1000 });
  await store.abandon(await claimed(), "is_archived", [], Date.now());
  expect(await backlog()).toMatchObject({ announcements: 1, oldestAnnouncementAt: anHourAgo + 2000 });
});

test("counts changes that await approval", async () => {
  const { database, store, backlog } = await openBacklog();
  for (const id of ["chg-1", "chg-2", "chg-3"]) await store.begin(aChange({ id }));
  await execute(database, "update change set state = 'awaiting-approval' where id <> 'chg-2'");
  expect(await backlog()).toMatchObject({ approvals: 2 });
});

test("counts a job as overdue from its due time until a worker takes it", async () => {
  const { store, backlog } = await openBacklog();
  const job = (dueAt: number) => ({ kind: "exclusion-end", subjectId: "chg-1", dueAt }) as const;
  await store.schedule([job(Date.now() + 3_600_000)]);
  expect((await backlog()).overdueSince).toBeUndefined();
  await store.schedule([job(anHourAgo + 1000), job(anHourAgo)]);
  expect((await backlog()).overdueSince).toBe(anHourAgo);
  await takeJob(store);
  expect((await backlog()).overdueSince).toBe(anHourAgo + 1000);
  await takeJob(store);
  expect((await backlog()).overdueSince).toBeUndefined();
});
