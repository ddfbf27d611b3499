import { expect, test } from "vitest";
import { transact } from "../../src/store/db/transact.ts";
import { appendTransition } from "../../src/store/history/transition-table.ts";
import { newDatabase } from "../support/new-database.ts";
import { openRaw, verify } from "./history-file.ts";
import { openTestStore } from "./open-test-store.ts";

const event = (actor: string) => ({ state: "config-in-force", at: 1, facts: { event: { actor, loosens: [] } } });

test("nobody waits for an instance that stands still before its commit, and the history follows the commits", async () => {
  const database = await newDatabase("empty");
  const other = await openTestStore(database);
  await transact(openRaw(database), async (trx) => {
    await appendTransition(trx, event("first"));
    await other.appendEvent("config-in-force", 2, { actor: "second", loosens: [] });
  });
  const rows = await openRaw(database)
    .selectFrom("transition")
    .select(["sequence", "at"])
    .orderBy("sequence")
    .execute();
  expect(rows).toEqual([
    { sequence: 1, at: 2 },
    { sequence: 2, at: 1 },
  ]);
  expect(await verify(database)).toMatchObject({ kind: "intact", length: 2 });
});

test("a transaction that fails after its append leaves nothing, and two appends of one follow each other", async () => {
  const database = await newDatabase("empty");
  await openTestStore(database);
  const db = openRaw(database);
  const failing = transact(db, async (trx) => {
    await appendTransition(trx, event("first"));
    throw new Error("afterwards");
  });
  await expect(failing).rejects.toThrow("afterwards");
  await transact(db, async (trx) => {
    await appendTransition(trx, event("second"));
    await appendTransition(trx, event("third"));
  });
  expect(await verify(database)).toMatchObject({ kind: "intact", length: 2 });
});
