import { DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from "kysely";
import { expect, test } from "vitest";
import type { ServiceChange } from "../../src/changes/change.ts";
import type { HistoryFilter } from "../../src/commands/about-changes/about-changes.ts";
import type { Database } from "../../src/store/db/database.ts";
import { latestChanges } from "../../src/store/tables/change-filter.ts";
import { aChange, anEnd, anExclusion, anExtension, aSettlement, exclusionRequest, noon } from "../changes/build.ts";
import { openTestStore } from "./open-test-store.ts";
import { saveGroup } from "./save-group.ts";

const bob = { teamId: "T1", userId: "U02BOB", name: "Bob", timeZone: "UTC" };

async function openWith(...changes: readonly ServiceChange[]) {
  const store = await openTestStore();
  for (const [index, change] of changes.entries()) await store.begin({ ...change, requestedAt: noon + index });
  const idsOf = async (filter: Omit<HistoryFilter, "limit">) =>
    (await store.list({ ...filter, limit: 20 })).map(({ id }) => id);
  return { store, idsOf };
}

/** Settles it as a new exclusion of these resources. */
async function exclude(store: Awaited<ReturnType<typeof openTestStore>>, changeId: string, id: string, ids: string[]) {
  const body = anExclusion({ actionExclusionId: id, resourceIds: ids });
  const entities = [{ kind: "exclusion", id, body }] as const;
  await store.settle(changeId, aSettlement({ answer: body, subjectId: id }), { entities });
}

test("filters changes by command, state, person and time, all together", async () => {
  const { store, idsOf } = await openWith(
    aChange({ id: "chg-a" }),
    anExtension({ id: "chg-b", actor: bob }),
    anEnd({ id: "chg-c", actor: bob }),
  );
  await store.settle("chg-b", aSettlement({ state: "failed" }));
  expect(await idsOf({ commands: ["exclusion extend", "exclusion end"] })).toEqual(["chg-c", "chg-b"]);
  expect(await idsOf({ states: ["failed"] })).toEqual(["chg-b"]);
  expect(await idsOf({ states: ["performing", "failed"], actorId: "U02BOB" })).toEqual(["chg-c", "chg-b"]);
  expect(await idsOf({ since: noon + 1 })).toEqual(["chg-c", "chg-b"]);
  expect(await idsOf({ since: noon + 1, states: ["failed"], commands: ["exclusion end"] })).toEqual([]);
  expect(await idsOf({ commands: [] })).toEqual([]);
});

test("finds the changes of an entity", async () => {
  const { idsOf } = await openWith(anEnd({ id: "chg-1" }), anEnd({ id: "chg-2", subjectId: "ae-2" }));
  expect(await idsOf({ about: { subjects: [{ kind: "exclusion", id: "ae-2" }], resourceIds: [] } })).toEqual(["chg-2"]);
  expect(await idsOf({ about: { subjects: [{ kind: "project", id: "ae-2" }], resourceIds: [] } })).toEqual([]);
  expect(await idsOf({ about: { subjects: [], resourceIds: [] } })).toEqual([]);
});

test("finds the changes of every exclusion that named a resource, also one that was never made", async () => {
  const { store, idsOf } = await openWith(
    aChange({ id: "chg-made" }),
    anExtension({ id: "chg-edited" }),
    aChange({ id: "chg-failed", request: { ...exclusionRequest, resourceIds: ["I-0A1"] } }),
    aChange({ id: "chg-other", request: { ...exclusionRequest, resourceIds: ["i-0a11"] } }),
  );
  await exclude(store, "chg-made", "ae-1", ["i-0a1", "i-0a2"]);
  await store.settle("chg-failed", aSettlement({ state: "failed", subjectId: null, answer: null }));
  await exclude(store, "chg-other", "ae-2", ["i-0a11"]);
  const about = (...resourceIds: string[]) => idsOf({ about: { subjects: [], resourceIds } });
  expect(await about("i-0a1")).toEqual(["chg-failed", "chg-edited", "chg-made"]);
  expect(await about("i-0a2")).toEqual(["chg-edited", "chg-made"]);
  await exclude(store, "chg-edited", "ae-1", ["i-0a1"]);
  expect(await about("i-0a2"), "an edit left it out").toEqual(["chg-edited", "chg-made"]);
  expect(await store.liveExclusions(noon, ["i-0a2"])).toEqual([]);
  expect(await about("i-0a11", "i-0a2")).toEqual(["chg-other", "chg-edited", "chg-made"]);
  expect(await about("i-0a")).toEqual([]);
});

test("finds the changes of groups that name a resource", async () => {
  const { store, idsOf } = await openWith();
  await saveGroup(store, "lab", { type: "amazon-ec2-instance", project: "p-dev", ids: ["i-0a1"] }, "chg-g");
  expect(await idsOf({ about: { subjects: [], resourceIds: ["i-0a1"] } })).toEqual(["chg-g"]);
  expect(await idsOf({ about: { subjects: [{ kind: "group", id: "lab" }], resourceIds: ["i-0a2"] } })).toEqual([
    "chg-g",
  ]);
});

test("knows everybody who asked for a change, by their latest name", async () => {
  const { store } = await openWith(
    aChange({ id: "chg-1" }),
    aChange({ id: "chg-2", actor: { ...bob, name: "Robert" } }),
    aChange({ id: "chg-3", actor: bob }),
  );
  expect(await store.requesters()).toEqual([
    { userId: "U01ALICE", name: "Alice" },
    { userId: "U02BOB", name: "Bob" },
  ]);
  expect(await (await openTestStore()).requesters()).toEqual([]);
});

test("asks in the same words about two machines and about a group of fifty", async () => {
  const asked = new Set<string>();
  const db = new Kysely<Database>({
    dialect: {
      createDriver: () => new DummyDriver(),
      createAdapter: () => new SqliteAdapter(),
      createIntrospector: (of) => new SqliteIntrospector(of),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
    log: ({ query }) => void asked.add(query.sql),
  });
  for (const count of [2, 50]) {
    const resourceIds = Array.from({ length: count }, (_, at) => `i-0a${at}`);
    await latestChanges(db, { about: { subjects: [], resourceIds }, limit: 3 });
  }
  expect(asked.size).toBe(1);
});
