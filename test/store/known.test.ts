import { expect, test } from "vitest";
import type { NewEntity } from "../../src/directory/directory.ts";
import { openDirectory } from "../../src/store/open-directory.ts";
import type { Store } from "../../src/store/open-store.ts";
import { aChange, anExclusion, aSettlement, hourMs, minuteMs, noon } from "../changes/build.ts";
import { newDatabase } from "../support/new-database.ts";
import { claimOne, takeJob, unhurried } from "./next-due.ts";
import { openTestStore } from "./open-test-store.ts";
import { saveGroup } from "./save-group.ts";

const project = (name: string): NewEntity => ({ kind: "project", id: "p-1", body: { projectId: "p-1", name } });
const nameIn = async (store: Store) => (await store.get("project", "P-1"))?.name;

/** Two stores on one database, of which the first has read a project. */
async function twoStores() {
  const database = await newDatabase();
  const [store, other] = [await openTestStore(database), await openTestStore(database)];
  await store.remember([project("Red")]);
  expect(await nameIn(store)).toBe("Red");
  return { database, store, other };
}

test("what another writes is seen by the next read", async () => {
  const { database, store, other } = await twoStores();
  await other.remember([project("Green")]);
  expect(await nameIn(store)).toBe("Green");
  expect(await store.search("project", "green", 5)).toHaveLength(1);
  expect(await store.groups()).toEqual({});
  await saveGroup(other, "web", { type: "amazon-ec2-instance", project: "p-1", ids: ["i-1"] });
  expect(Object.keys(await store.groups())).toEqual(["web"]);
  const tool = await openDirectory(database);
  for await (const _added of tool.add([project("Blue")]));
  await tool.close();
  expect(await nameIn(store)).toBe("Blue");
  expect(await store.search("project", "blue", 5)).toHaveLength(1);
});

test("what a transaction wrote that failed is not known", async () => {
  const { store } = await twoStores();
  const effects = { entities: [project("Green")] };
  await expect(store.settle("chg-none", aSettlement(), effects)).rejects.toThrow();
  expect(await nameIn(store)).toBe("Red");
  await store.begin(aChange());
  await store.begin(aChange({ id: "chg-2" }), { ...effects, receiptId: "taken over" }).catch(() => undefined);
  expect(await nameIn(store)).toBe("Red");
  // The end of the history too is the one that is stored.
  await store.settle("chg-1", aSettlement(), effects);
  expect(await nameIn(store)).toBe("Green");
});

test("a read beside a write leaves nothing older behind", async () => {
  const { store } = await twoStores();
  for (let round = 0; round < 20; round++) {
    const name = `Blue ${round}`;
    await Promise.all([
      nameIn(store),
      store.remember([project(name)]),
      nameIn(store),
      Promise.resolve().then(() => nameIn(store)),
    ]);
    expect(await nameIn(store)).toBe(name);
  }
});

test("a message or a job is found although nothing was due a moment ago, whoever queued it", async () => {
  const { store, other } = await twoStores();
  await store.begin(aChange());
  for (const [index, by] of [store, other, store].entries()) {
    const to = `C${index}`;
    expect(await claimOne(store, noon, 60_000, unhurried)).toBeUndefined();
    expect(await takeJob(store)).toBeUndefined();
    await by.queue([{ changeId: "chg-1", kind: "thread", to, underChangeId: null }], noon);
    await by.schedule([{ kind: "exclusion-end", subjectId: to, dueAt: noon }]);
    expect(await claimOne(store, noon, 60_000, unhurried)).toMatchObject({ to });
    expect(await takeJob(store)).toMatchObject({ subjectId: to });
  }
});

test("a question about a later moment leaves the live exclusions known", async () => {
  const asked: string[] = [];
  const store = await openTestStore(undefined, { onQuery: (statement) => void asked.push(statement) });
  const exclusion = (id: string, expiryDate: string): NewEntity => ({
    kind: "exclusion",
    id,
    body: anExclusion({ actionExclusionId: id, expiryDate }),
  });
  await store.remember([
    exclusion("ae-short", new Date(noon + minuteMs).toISOString()),
    exclusion("ae-long", new Date(noon + hourMs).toISOString()),
  ]);
  const live = async (at: number) => (await store.liveExclusions(at)).map(({ id }) => id);
  expect(await live(noon + 2 * minuteMs)).toEqual(["ae-long"]);
  expect(await live(noon)).toEqual(["ae-short", "ae-long"]);
  const before = asked.length;
  expect(await live(noon + 2 * minuteMs)).toEqual(["ae-long"]);
  expect(await live(noon)).toEqual(["ae-short", "ae-long"]);
  expect(await live(noon + 1)).toEqual(["ae-short", "ae-long"]);
  expect(asked.length - before).toBe(store.isShared ? 3 : 0);
});
