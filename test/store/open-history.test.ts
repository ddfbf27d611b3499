import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { openHistory } from "../../src/store/history/verify-history.ts";
import { openStore } from "../../src/store/open-store.ts";
import { aChange, aSettlement, noon } from "../changes/build.ts";
import { newDatabase } from "../support/new-database.ts";
import { openRaw } from "./history-file.ts";
import { newDatabaseFile, openTestStore } from "./open-test-store.ts";

/** Settled changes and an open one, a second apart. Each settled change has two rows of history. */
async function someHistory(settled: number): Promise<string> {
  const file = await newDatabase();
  const store = await openTestStore(file);
  for (let index = 0; index <= settled; index++) {
    const [id, requestedAt] = [`chg-${index}`, noon + index * 1000];
    await store.begin(aChange({ id, requestedAt }));
    if (index < settled) await store.settle(id, aSettlement({ settledAt: requestedAt + 1 }));
  }
  return file;
}

test("refuses an empty database, and makes no tables in it", async () => {
  const file = await newDatabase("empty");
  const db = openRaw(file);
  await sql`select 1`.execute(db);
  await expect(openHistory(file)).rejects.toMatchObject({
    code: "OlderSchema",
    message: expect.stringMatching(/is empty.*start Curfew/),
  });
  await expect(db.selectFrom("history_head").selectAll().execute()).rejects.toThrow(/history_head/);
});

test("creates no missing database, and refuses one of a newer version", async () => {
  const missing = newDatabaseFile();
  await expect(openHistory(missing)).rejects.toMatchObject({ code: "NoDatabase" });
  await expect(openHistory(missing)).rejects.toMatchObject({ code: "NoDatabase" });
  const file = await newDatabase();
  await (await openStore(file)).close();
  await openRaw(file)
    .withTables<{ migration: { version: number } }>()
    .insertInto("migration")
    .values({ version: 999 })
    .execute();
  await expect(openHistory(file)).rejects.toMatchObject({ code: "NewerSchema" });
});

test("returns entries oldest first, all or since a moment, over several batches", async () => {
  const file = await someHistory(300);
  const history = await openHistory(file);
  onTestFinished(() => history.close());
  const all = await collected(history.entries());
  expect(all.map(({ sequence }) => sequence)).toEqual(Array.from({ length: 601 }, (_each, index) => index + 1));
  expect(all.every(({ previousHash }, index) => index === 0 || previousHash === all[index - 1]?.hash)).toBe(true);
  const late = await collected(history.entries(noon + 299 * 1000 + 1));
  expect(late.map(({ content }) => `${content.changeId} ${content.state}`)).toEqual([
    "chg-299 succeeded",
    "chg-300 performing",
  ]);
});

async function collected<T>(items: AsyncIterable<T>): Promise<readonly T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}
