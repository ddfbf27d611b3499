import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Transaction } from "kysely";
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import type { Change } from "../../src/changes/change.ts";
import type { Database, Db } from "../../src/store/db/database.ts";
import { openDatabase } from "../../src/store/db/open-database.ts";
import { hashOf } from "../../src/store/history/history-chain.ts";
import { type HistoryCheck, openHistory, verifyHistory } from "../../src/store/history/verify-history.ts";
import { openStore, type Store } from "../../src/store/open-store.ts";
import { rowOf } from "../../src/store/tables/change-row.ts";
import { aChange, anExclusion, anExtension, aSettlement, noon } from "../changes/build.ts";
import { compile } from "../support/compiled.ts";
import { makeDatabase, newDatabase, type TestDatabase } from "../support/new-database.ts";
import { openRaw, verify } from "./history-file.ts";
import { openTestStore } from "./open-test-store.ts";

const perform = async (store: Store, change: Change): Promise<void> => {
  await store.begin(change);
  await store.settle(change.id, aSettlement({ subjectId: change.subjectId ?? `ae-${change.id}` }));
};

/** Three changes, one after the other: transitions 1 to 6. */
async function threeChanges(): Promise<{ file: string; db: Db; store: Store }> {
  const file = await newDatabase();
  const store = await openTestStore(file);
  for (const id of ["chg-1", "chg-2", "chg-3"]) await perform(store, aChange({ id }));
  expect(await verify(file)).toMatchObject({ kind: "intact", length: 6 });
  return { file, db: openRaw(file), store };
}

/** Alters the three changes in a transaction, verifies there, and takes it back. */
async function verifyAltered(db: Db, alter: (trx: Transaction<Database>) => Promise<unknown>): Promise<HistoryCheck> {
  const trx = await db.startTransaction().execute();
  try {
    await alter(trx);
    return await verifyHistory(trx);
  } finally {
    await trx.rollback().execute();
  }
}

/** One database with three changes for several tests, which take back what they alter. */
function sharedChanges(): () => Db {
  let db: Db | undefined;
  let made: TestDatabase | undefined;
  beforeAll(async () => {
    made = await makeDatabase();
    const store = await openStore(made.database, { now: () => noon });
    for (const id of ["chg-1", "chg-2", "chg-3"]) await perform(store, aChange({ id }));
    await store.close();
    db = openDatabase(made.database);
  });
  afterEach(async () => expect(db && (await verifyHistory(db))).toMatchObject({ kind: "intact", length: 6 }));
  afterAll(async () => {
    await db?.destroy();
    await made?.remove();
  });
  return () => {
    if (db === undefined) throw new Error("The database is not open.");
    return db;
  };
}

describe("an unaltered history", () => {
  test("is intact when it is empty", async () => {
    const file = await newDatabase();
    await openTestStore(file);
    expect(await verify(file)).toEqual({ kind: "intact", length: 0, hash: "0".repeat(64) });
  });

  test("is intact after many concurrent changes of every outcome", async () => {
    const file = await newDatabase();
    const store = await openTestStore(file);
    const states = ["succeeded", "failed", "unknown"] as const;
    await Promise.all(
      Array.from({ length: 30 }, async (_each, index) => {
        const change = index % 2 ? aChange({ id: `chg-${index}` }) : anExtension({ id: `chg-${index}` });
        await store.begin(change);
        const state = states[index % 3] ?? "unknown";
        const error = state === "succeeded" ? null : { code: "X", message: "no" };
        await store.settle(change.id, aSettlement({ state, error, note: `note ${index}` }));
      }),
    );
    await store.begin(aChange({ id: "chg-under-way" }));
    const hash = expect.stringMatching(/^[\da-f]{64}$/);
    expect(await verify(file)).toEqual({ kind: "intact", length: 61, hash });
  });

  test("is intact during and after changes from two processes", async () => {
    const file = await newDatabase();
    await openTestStore(file);
    let isOver = false;
    const perform = (prefix: string) =>
      promisify(execFile)(process.execPath, [compile("test/store/perform-many.ts"), file, prefix, "20"]);
    const performed = Promise.all(["a", "b"].map(perform)).finally(() => {
      isOver = true;
    });
    while (!isOver) expect(await verify(file)).toMatchObject({ kind: "intact" });
    await performed;
    expect(await verify(file)).toMatchObject({ kind: "intact", length: 80 });
  });

  test("continues unbroken after a rollback", async () => {
    const file = await newDatabase();
    const store = await openTestStore(file);
    await store.begin(aChange());
    const toNobody = { changeId: "chg-1", kind: "card", to: JSON.parse("null"), underChangeId: null } as const;
    await expect(store.settle("chg-1", aSettlement(), { outbox: [toNobody] })).rejects.toThrow();
    expect(await verify(file)).toMatchObject({ kind: "intact", length: 1 });
    await store.settle("chg-1", aSettlement());
    expect(await verify(file)).toMatchObject({ kind: "intact", length: 2 });
  });

  test("is intact with any text from people and the service", async () => {
    const file = await newDatabase();
    const store = await openTestStore(file);
    const odd = 'half \ud83d, “quotes" \\ \n\t\u2028 é e\u0301 \u0001 \0 end';
    const request = { "\ud83d": odd, nested: [{ b: 1e21, a: -0, "10": undefined }] };
    await store.begin(anExtension({ reason: odd, input: { text: odd }, request, before: anExclusion({ name: odd }) }));
    await store.settle("chg-1", aSettlement({ answer: JSON.parse('{"__proto__":[1.5,null],"x":"\\ud83d"}') }));
    expect(await verify(file)).toMatchObject({ kind: "intact", length: 2 });
    expect((await store.find("chg-1"))?.reason).toBe(odd.replace("\ud83d", "\ufffd").replace("\0", "\ufffd"));
  });

  test("can be verified during another transaction, without seeing or blocking it", async () => {
    const { file, db, store } = await threeChanges();
    const history = await openHistory(file);
    onTestFinished(() => history.close());
    await db.transaction().execute(async (trx) => {
      await trx.updateTable("transition").set({ state: "failed" }).where("sequence", "=", 1).execute();
      expect(await history.verify()).toMatchObject({ kind: "intact", length: 6 });
      await trx.updateTable("transition").set({ state: "performing" }).where("sequence", "=", 1).execute();
    });
    await store.begin(aChange({ id: "chg-4" }));
    expect(await history.verify()).toMatchObject({ kind: "intact", length: 7 });
  });
});

describe("an altered history is found", () => {
  const alterations: Readonly<Record<string, object>> = {
    "its content": { content_json: '{"altered":true}' },
    "its state": { state: "failed" },
    "its time": { at: noon - 1 },
    "its change": { change_id: "chg-3" },
    "its hash": { hash: "0".repeat(64) },
    "the hash before it": { previous_hash: "1".repeat(64) },
  };
  describe("in one row", () => {
    const shared = sharedChanges();
    test.each(Object.entries(alterations))("when a row is altered: %s", async (_what, altered) => {
      const found = await verifyAltered(shared(), (trx) =>
        trx.updateTable("transition").set(altered).where("sequence", "=", 4).execute(),
      );
      expect(found).toMatchObject({ kind: "broken", sequence: 4, reason: "its content was altered" });
    });
  });

  test("when a row is altered and rehashed, by the next row", async () => {
    const { file, db } = await threeChanges();
    const row = await db.selectFrom("transition").selectAll().where("sequence", "=", 3).executeTakeFirstOrThrow();
    const content_json = row.content_json.replace("U01ALICE", "U02BOB");
    const hash = hashOf(row.previous_hash, content_json);
    await db.updateTable("transition").set({ content_json, hash }).where("sequence", "=", 3).execute();
    await db.updateTable("change").set({ actor_id: "U02BOB" }).where("id", "=", "chg-2").execute();
    const reason = "the transition before it is missing or was altered";
    expect(await verify(file)).toEqual({ kind: "broken", sequence: 4, changeId: "chg-2", reason });
  });

  test("when a forged row has only a valid hash", async () => {
    const { file, db } = await threeChanges();
    const hash = hashOf("0".repeat(64), "no JSON");
    const made = { content_json: "no JSON", previous_hash: "0".repeat(64), hash };
    await db.updateTable("transition").set(made).where("sequence", "=", 1).execute();
    expect(await verify(file)).toMatchObject({ kind: "broken", sequence: 1 });
  });

  test.each([
    [[1], 2, /before it is missing/],
    [[3], 4, /before it is missing/],
    [[2, 3, 4], 5, /before it is missing/],
    [[6], null, /counts 6 transitions, but there are 5/],
    [[1, 2, 3, 4, 5, 6], null, /counts 6 transitions, but there are 0/],
  ])("when the rows %j are deleted", async (sequences, sequence, reason) => {
    const { file, db } = await threeChanges();
    await db.deleteFrom("transition").where("sequence", "in", sequences).execute();
    expect(await verify(file)).toMatchObject({ kind: "broken", sequence, reason: expect.stringMatching(reason) });
  });

  test("when two rows are swapped", async () => {
    const { file, db } = await threeChanges();
    for (const [from, to] of [
      [3, 99],
      [4, 3],
      [99, 4],
    ] as const) {
      await db.updateTable("transition").set({ sequence: to }).where("sequence", "=", from).execute();
    }
    const reason = expect.stringContaining("it belongs after transition 4");
    expect(await verify(file)).toEqual({ kind: "broken", sequence: 3, changeId: "chg-2", reason });
  });

  test("when a row is copied to the end", async () => {
    const { file, db } = await threeChanges();
    const { sequence: _none, ...row } = await db
      .selectFrom("transition")
      .selectAll()
      .where("sequence", "=", 2)
      .executeTakeFirstOrThrow();
    await db
      .insertInto("transition")
      .values({ sequence: 7, ...row })
      .execute();
    const reason = expect.stringContaining("it belongs after transition 1");
    expect(await verify(file)).toMatchObject({ kind: "broken", sequence: 7, reason });
  });

  test("when its head is missing, which also stops recording", async () => {
    const { file, db, store } = await threeChanges();
    await db.deleteFrom("history_head").execute();
    expect(await verify(file)).toMatchObject({ kind: "broken", reason: expect.stringContaining("head") });
    await expect(store.begin(aChange({ id: "chg-4" }))).rejects.toThrow(
      /head of the history is missing|null value in column "sequence"/,
    );
    expect(await store.find("chg-4")).toBeUndefined();
  });
});

describe("a change that contradicts its history is found", () => {
  const shared = sharedChanges();
  const alterations: readonly [column: string, value: string | number | null, named: string, sequence: number][] = [
    ["words", "exclusion end", "words", 3],
    ["operation", "DeleteActionExclusion", "operation", 3],
    ["input_json", "{}", "input", 3],
    ["request_json", '{"projectId":"p-prod"}', "request", 3],
    ["request_json", "no JSON", "request", 3],
    ["before_json", "{}", "before", 3],
    ["subject_kind", "user", "subjectKind", 3],
    ["actor_team", "T2", "actor", 3],
    ["actor_id", "U02BOB", "actor", 3],
    ["actor_name", "Bob", "actor", 3],
    ["channel_id", null, "channelId", 3],
    ["reason", "because", "reason", 3],
    ["undoes", "chg-1", "undoes", 3],
    ["role", "admin", "role", 3],
    ["rule", "permissions.roles.admin.allow", "rule", 3],
    ["requested_at", noon - 1, "requestedAt", 3],
    ["state", "unknown", "state", 4],
    ["answer_json", null, "answer", 4],
    ["subject_id", "ae-9", "subjectId", 4],
    ["error_code", "X", "error", 4],
    ["note", "nothing happened", "note", 4],
    ["settled_at", noon + 9, "settledAt", 4],
  ];
  test.each(alterations)("when its %s becomes %j", async (column, value, named, sequence) => {
    const found = await verifyAltered(shared(), (trx) =>
      trx
        .updateTable("change")
        .set({ [column]: value })
        .where("id", "=", "chg-2")
        .execute(),
    );
    const reason = `the change itself was altered: ${named}`;
    expect(found).toEqual({ kind: "broken", sequence, changeId: "chg-2", reason });
  });

  test("when its state is set back to performing", async () => {
    const { file, db } = await threeChanges();
    await db.updateTable("change").set({ state: "performing" }).where("id", "=", "chg-2").execute();
    expect(await verify(file)).toMatchObject({ kind: "broken", sequence: 4, changeId: "chg-2" });
  });

  test("when the history lacks it", async () => {
    const { file, db } = await threeChanges();
    await db
      .insertInto("change")
      .values(rowOf(aChange({ id: "chg-4" })))
      .execute();
    const reason = "this change is missing from the history";
    expect(await verify(file)).toEqual({ kind: "broken", sequence: null, changeId: "chg-4", reason });
  });
});
