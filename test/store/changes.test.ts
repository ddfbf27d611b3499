import { expect, test } from "vitest";
import { aChange, anEnd, anExtension, aSettlement, noon } from "../changes/build.ts";
import { execute } from "../support/execute.ts";
import { newDatabase } from "../support/new-database.ts";
import { nextDue, nextDueAt } from "./next-due.ts";
import { openTestStore } from "./open-test-store.ts";

test("reads a recorded change back as written, with its first transition", async () => {
  const store = await openTestStore();
  const change = anExtension({ reason: "release week", note: "a “note”" });
  expect(await store.begin(change)).toBeUndefined();
  expect(await store.find(change.id)).toEqual(change);
  expect(await store.transitions(change.id)).toEqual([{ state: "performing", at: noon }]);
  expect(await store.find("chg-none")).toBeUndefined();
});

test("returns the earlier change for a repeated idempotency key, and records none", async () => {
  const store = await openTestStore();
  await store.begin(aChange());
  const again = aChange({ id: "chg-2", idempotencyKey: "command:chg-1" });
  expect(await store.begin(again)).toEqual(aChange());
  await store.settle("chg-1", aSettlement());
  expect(await store.begin(again)).toMatchObject({ id: "chg-1", state: "succeeded" });
  expect(await store.find("chg-2")).toBeUndefined();
});

test("does not repeat a change whose outcome is unknown", async () => {
  const store = await openTestStore();
  await store.begin(aChange());
  await store.settle("chg-1", aSettlement({ state: "unknown", answer: null, subjectId: null }));
  const again = aChange({ id: "chg-2", idempotencyKey: "command:chg-1" });
  expect(await store.begin(again)).toMatchObject({ id: "chg-1", state: "unknown" });
});

test("allows one new attempt after a change failed", async () => {
  const store = await openTestStore();
  const failed = aSettlement({ state: "failed", answer: null, subjectId: null, error: { code: "X", message: "no" } });
  for (const id of ["chg-1", "chg-2"]) {
    expect(await store.begin(aChange({ id, idempotencyKey: "press:1" }))).toBeUndefined();
    await store.settle(id, failed);
  }
  expect(await store.begin(aChange({ id: "chg-3", idempotencyKey: "press:1" }))).toBeUndefined();
  expect(await store.begin(aChange({ id: "chg-4", idempotencyKey: "press:1" }))).toMatchObject({ id: "chg-3" });
  expect((await store.list({ limit: 10 })).map(({ id }) => id)).toEqual(["chg-3", "chg-2", "chg-1"]);
});

test("eight concurrent requests with one key record one change", async () => {
  const store = await openTestStore();
  const ids = Array.from({ length: 8 }, (_each, index) => `chg-${index}`);
  const earlier = await Promise.all(ids.map((id) => store.begin(aChange({ id, idempotencyKey: "view:V1" }))));
  expect(earlier.filter((change) => change === undefined)).toHaveLength(1);
  const made = await store.list({ limit: 10 });
  expect(made).toHaveLength(1);
  expect(new Set(earlier.map((change) => change?.id ?? made[0]?.id))).toEqual(new Set([made[0]?.id]));
});

test("eight concurrent undos of one change, each with its own key, record one change", async () => {
  const store = await openTestStore();
  const undo = (id: string) => anEnd({ id, undoes: "chg-0" });
  const earlier = await Promise.all(Array.from({ length: 8 }, (_each, index) => store.begin(undo(`chg-u${index}`))));
  expect(earlier.filter((change) => change === undefined)).toHaveLength(1);
  const [made, ...others] = await store.list({ limit: 10 });
  expect(others).toEqual([]);
  expect(new Set(earlier.map((change) => change?.id ?? made?.id))).toEqual(new Set([made?.id]));
  await store.settle(made?.id ?? "", aSettlement({ answer: null }));
  expect(await store.begin(undo("chg-later"))).toMatchObject({ id: made?.id, state: "succeeded" });
  expect(await store.actedOn("command:chg-later")).toBeUndefined();
});

test.each(["failed", "unknown"] as const)("allows another undo when the one before is %s", async (state) => {
  const store = await openTestStore();
  for (const id of ["chg-1", "chg-2", "chg-3"]) {
    expect(await store.begin(anEnd({ id, undoes: "chg-0" }))).toBeUndefined();
    await store.settle(id, aSettlement({ state, answer: null, error: { code: "X", message: "no" } }));
  }
});

test("stores the outcome with its transition, entities and outbox messages", async () => {
  const store = await openTestStore();
  await store.begin(aChange());
  const settlement = aSettlement({ note: "noted", error: { code: "Odd", message: "but so" } });
  const body = { actionExclusionId: "ae-1", name: "keep staging up" };
  await store.settle("chg-1", settlement, {
    entities: [{ kind: "exclusion", id: "ae-1", body, ownerId: "U01ALICE" }],
    outbox: [{ changeId: "chg-1", kind: "card", to: "C0OPS", underChangeId: null }],
  });
  const { isSubjectGone: _gone, ...outcome } = settlement;
  expect(await store.find("chg-1")).toEqual({ ...aChange(), ...outcome });
  expect(await store.transitions("chg-1")).toEqual([
    { state: "performing", at: noon },
    { state: "succeeded", at: noon + 1000 },
  ]);
  expect(await store.get("exclusion", "ae-1")).toMatchObject({ name: "keep staging up", ownerId: "U01ALICE" });
  expect(await nextDue(store, noon + 1000)).toMatchObject({ changeId: "chg-1", to: "C0OPS" });
});

test("keeps nothing of a settlement when one part fails", async () => {
  const store = await openTestStore();
  await store.begin(aChange());
  const entities = [{ kind: "project", id: "p-1", body: { projectId: "p-1" } }] as const;
  const toNobody = { changeId: "chg-1", kind: "card", to: JSON.parse("null"), underChangeId: null } as const;
  await expect(store.settle("chg-1", aSettlement(), { entities, outbox: [toNobody] })).rejects.toThrow();
  expect(await store.find("chg-1")).toEqual(aChange());
  expect(await store.transitions("chg-1")).toHaveLength(1);
  expect(await store.get("project", "p-1")).toBeUndefined();
  expect(await nextDueAt(store, 0)).toBeUndefined();
});

test("settles a change once, and never an unknown id", async () => {
  const store = await openTestStore();
  await store.begin(aChange());
  await store.settle("chg-1", aSettlement());
  const late = aSettlement({ state: "unknown" });
  await expect(store.settle("chg-1", late)).rejects.toThrow(/chg-1 is not being performed/);
  await expect(store.settle("chg-none", late)).rejects.toThrow(/chg-none/);
  expect(await store.find("chg-1")).toMatchObject({ state: "succeeded" });
  expect(await store.transitions("chg-1")).toHaveLength(2);
});

test("lists changes newest first, filtered by person or id, up to the limit", async () => {
  const store = await openTestStore();
  const bob = { teamId: "T1", userId: "U02BOB", name: "Bob", timeZone: "UTC" };
  await store.begin(aChange({ id: "chg-b", requestedAt: noon }));
  await store.begin(aChange({ id: "chg-a", requestedAt: noon }));
  await store.begin(aChange({ id: "chg-c", requestedAt: noon - 1, actor: bob }));
  await store.begin(aChange({ id: "chg-d", requestedAt: noon + 1 }));
  const idsOf = async (filter: Parameters<typeof store.list>[0]) => (await store.list(filter)).map(({ id }) => id);
  expect(await idsOf({ limit: 10 })).toEqual(["chg-d", "chg-b", "chg-a", "chg-c"]);
  expect(await idsOf({ limit: 2 })).toEqual(["chg-d", "chg-b"]);
  expect(await idsOf({ actorId: "U02BOB", limit: 10 })).toEqual(["chg-c"]);
  expect(await idsOf({ id: "chg-a", limit: 10 })).toEqual(["chg-a"]);
  expect(await idsOf({ id: "chg-a", actorId: "U02BOB", limit: 10 })).toEqual([]);
  expect(await idsOf({ limit: 2, before: { id: "chg-b", requestedAt: noon } })).toEqual(["chg-a", "chg-c"]);
  expect(await idsOf({ limit: 2, before: { id: "chg-c", requestedAt: noon - 1 } })).toEqual([]);
});

test("lists succeeded changes of one entity, oldest first", async () => {
  const store = await openTestStore();
  const outcomes = [
    { change: aChange({ id: "chg-made" }), state: "succeeded" },
    { change: anExtension({ id: "chg-moved", requestedAt: noon + 1 }), state: "succeeded" },
    { change: anExtension({ id: "chg-refused", requestedAt: noon + 2 }), state: "failed" },
    { change: anEnd({ id: "chg-other", subjectId: "ae-2", requestedAt: noon + 3 }), state: "succeeded" },
  ] as const;
  for (const { change, state } of outcomes) {
    await store.begin(change);
    await store.settle(change.id, aSettlement({ state, subjectId: change.subjectId ?? "ae-1" }));
  }
  const about = await store.about("exclusion", "ae-1");
  expect(about.map(({ id }) => id)).toEqual(["chg-made", "chg-moved"]);
  expect(await store.lastAbout("exclusion", "ae-1")).toMatchObject({ id: "chg-moved" });
  expect(await store.about("project", "ae-1")).toEqual([]);
  expect(await store.lastAbout("project", "ae-1")).toBeUndefined();
});

test("omits only the unreadable change from lists", async () => {
  const file = await newDatabase();
  const unreadable: string[] = [];
  const store = await openTestStore(file, { onUnreadable: ({ table, id }) => void unreadable.push(`${table} ${id}`) });
  for (const id of ["chg-odd", "chg-good", "chg-done", "chg-old"]) await store.begin(anExtension({ id }));
  for (const id of ["chg-done", "chg-old"]) await store.settle(id, aSettlement());
  await execute(file, "update change set before_json = '{' where id in ('chg-odd', 'chg-old')");
  const other = await openTestStore(file);
  expect((await other.abandoned()).map(({ id }) => id)).toEqual(["chg-good"]);
  expect(await other.unreadableAbandoned()).toEqual([{ id: "chg-odd", subjectId: "ae-1" }]);
  expect((await store.list({ limit: 10 })).map(({ id }) => id)).toEqual(["chg-good", "chg-done"]);
  expect((await store.about("exclusion", "ae-1")).map(({ id }) => id)).toEqual(["chg-done"]);
  expect(new Set(unreadable)).toEqual(new Set(["change chg-odd", "change chg-old"]));
  await expect(store.find("chg-odd")).rejects.toThrow();
});
