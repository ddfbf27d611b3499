import { sql } from "kysely";
import { expect, test } from "vitest";
import { recover } from "../../src/changes/perform/record-outcome.ts";
import type { Store } from "../../src/store/open-store.ts";
import { aChange, anExtension, aSettlement, noon, quietLog, someSettings } from "../changes/build.ts";
import { execute } from "../support/execute.ts";
import { newDatabase } from "../support/new-database.ts";
import { openRaw, verify } from "./history-file.ts";
import { openTestStore } from "./open-test-store.ts";

/** Two instances with heartbeats. */
async function twoInstances() {
  const database = await newDatabase();
  const [one, other] = await Promise.all([openTestStore(database), openTestStore(database)]);
  await one.beat();
  await other.beat();
  return { database, one, other };
}

/** Lets time pass for the instance that is the only one in the database. */
const letPass = (database: string, ms: number) => execute(database, `update instance set seen_at = seen_at - ${ms}`);
const idsOf = (things: readonly { readonly id: string }[]) => things.map(({ id }) => id);
const recoverWith = (store: Store) =>
  recover({ store, settings: () => someSettings(), now: () => noon, log: quietLog });

test("what a instance has under way is left to it for 30 seconds after it was last seen", async () => {
  const database = await newDatabase();
  const [one, other] = [await openTestStore(database), await openTestStore(database)];
  await one.beat();
  await one.begin(aChange());
  expect(await other.abandoned()).toEqual([]);
  await letPass(database, 25_000);
  expect(await other.abandoned()).toEqual([]);
  await letPass(database, 5_000);
  expect(idsOf(await other.abandoned())).toEqual(["chg-1"]);
  expect(await one.abandoned()).toEqual([]);
  await one.beat();
  expect(await other.abandoned()).toEqual([]);
});

test("abandons an instance's open changes as soon as it deregisters", async () => {
  const { one, other } = await twoInstances();
  await one.begin(aChange());
  await one.leave();
  expect(idsOf(await other.abandoned())).toEqual(["chg-1"]);
});

test("instances that were gone for an hour are forgotten", async () => {
  const database = await newDatabase();
  const [one, other] = [await openTestStore(database), await openTestStore(database)];
  await one.beat();
  await letPass(database, 3_600_001);
  await other.beat();
  const db = openRaw(database);
  expect(await db.selectFrom("instance").select(sql`count(*)`.as("count")).execute()).toEqual([{ count: 1 }]);
});

test("leaves an instance its open changes when its heartbeat returns in time", async () => {
  const { one, other } = await twoInstances();
  await one.begin(aChange());
  await one.leave();
  const abandoned = async () => {
    const found = await other.abandoned();
    await one.beat();
    return found;
  };
  expect(await recoverWith({ ...other, abandoned })).toEqual([]);
  expect(await one.find("chg-1")).toMatchObject({ state: "performing" });
});

test("concurrent recoveries settle each change once, and notify its requester once", async () => {
  const database = await newDatabase();
  const gone = await openTestStore(database);
  for (const id of ["chg-1", "chg-2", "chg-3"]) await gone.begin(anExtension({ id }));
  const stores = await Promise.all(Array.from({ length: 4 }, () => openTestStore(database)));
  const settled = await Promise.all(stores.map(recoverWith));
  expect(idsOf(settled.flat()).sort()).toEqual(["chg-1", "chg-2", "chg-3"]);
  const db = openRaw(database);
  const notified = await db
    .selectFrom("outbox")
    .select("change_id as id")
    .where("kind", "=", "notify-requester")
    .execute();
  expect(idsOf(notified).sort()).toEqual(["chg-1", "chg-2", "chg-3"]);
  expect(await verify(database)).toMatchObject({ kind: "intact", length: 6 });
});

test("an instance keeps a lock until it releases it", async () => {
  const { one, other } = await twoInstances();
  expect(await one.takeLock("exclusion:ae-1")).toBe(true);
  expect(await other.takeLock("exclusion:ae-1")).toBe(false);
  expect(await other.takeLock("exclusion:ae-2")).toBe(true);
  await other.releaseLock("exclusion:ae-1");
  expect(await other.takeLock("exclusion:ae-1")).toBe(false);
  await one.releaseLock("exclusion:ae-1");
  expect(await other.takeLock("exclusion:ae-1")).toBe(true);
});

test("one of many concurrent callers gets a lock", async () => {
  const database = await newDatabase();
  const stores = await Promise.all(Array.from({ length: 6 }, () => openTestStore(database)));
  for (const store of stores) await store.beat();
  const taken = await Promise.all(stores.map((store) => store.takeLock("user:u-1")));
  expect(taken.filter(Boolean)).toHaveLength(1);
});

test("a lock ends when its instance is gone, not by a clock", async () => {
  const { database, one, other } = await twoInstances();
  await one.takeLock("user:u-1");
  for (const setBy of [-172_800_000, 172_800_000]) {
    await execute(database, `update lock set until = until + ${setBy}`);
    expect(await other.takeLock("user:u-1")).toBe(false);
  }
  await one.leave();
  expect(await other.takeLock("user:u-1")).toBe(true);
});

test("the history stays one chain when many instances append and roll back concurrently", async () => {
  const database = await newDatabase();
  const stores = await Promise.all(Array.from({ length: 4 }, () => openTestStore(database)));
  const perform = async (store: Store, id: string) => {
    await store.begin(aChange({ id }));
    const toNobody = { changeId: "chg-1", kind: "card", to: JSON.parse("null"), underChangeId: null } as const;
    await expect(store.settle(id, aSettlement(), { outbox: [toNobody] })).rejects.toThrow();
    await store.settle(id, aSettlement({ subjectId: `ae-${id}` }));
  };
  const ids = Array.from({ length: 15 }, (_each, index) => index);
  await Promise.all(stores.flatMap((store, instance) => ids.map((id) => perform(store, `chg-${instance}-${id}`))));
  expect(await verify(database)).toMatchObject({ kind: "intact", length: 120 });
});

test("instances that store the same entities and config concurrently do not deadlock", async () => {
  const database = await newDatabase();
  const stores = await Promise.all(Array.from({ length: 4 }, () => openTestStore(database)));
  const projects = Array.from({ length: 40 }, (_each, index) => {
    const projectId = `p-${index}`;
    return { kind: "project", id: projectId, body: { projectId, name: `Project ${index}` } } as const;
  });
  const work = stores.flatMap((store, index) =>
    index % 2 ? [store.configure(projects), store.remember(projects)] : [store.remember([...projects].reverse())],
  );
  await Promise.all([...work, ...stores.map((store) => store.configure([...projects].reverse()))]);
  expect(await stores[0]?.search("project", "project", 100)).toHaveLength(40);
});
