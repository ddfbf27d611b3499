import { sql } from "kysely";
import { describe, expect, onTestFinished, test } from "vitest";
import { rowOf } from "../../src/store/change-row.ts";
import type { Db } from "../../src/store/database.ts";
import { changes } from "../../src/store/migrations/001-changes.ts";
import { openHistory } from "../../src/store/open-history.ts";
import { openStore } from "../../src/store/open-store.ts";
import { aChange, aSettlement, noon } from "../changes/build.ts";
import { openRaw, verify } from "./history-file.ts";
import { newDatabaseFile, openTestStore } from "./open-test-store.ts";

/** As the first version left it, with settled changes and one under way, a second between them; the second change is damaged. */
async function firstVersion(settled: number): Promise<string> {
  const file = newDatabaseFile();
  const db = openRaw(file);
  await db.schema
    .createTable("migration")
    .addColumn("version", "integer", (column) => column.primaryKey())
    .execute();
  await changes(db.schema);
  const insertTransition = (trx: Db, id: string, state: string, at: number) =>
    sql`insert into transition (change_id, state, at) values (${id}, ${state}, ${at})`.execute(trx);
  await db.transaction().execute(async (trx) => {
    await sql`insert into migration (version) values (1)`.execute(trx);
    for (let index = 0; index <= settled; index++) {
      const [id, askedAt] = [`chg-${index}`, noon + index * 1000];
      const { isSubjectGone: _gone, ...outcome } = aSettlement({ note: `note ${index}`, settledAt: askedAt + 1 });
      const change = aChange({ id, askedAt, ...(index < settled ? outcome : {}) });
      await trx.insertInto("change").values(rowOf(change)).execute();
      await insertTransition(trx, id, "performing", askedAt);
      if (index < settled) await insertTransition(trx, id, "succeeded", askedAt + 1);
    }
    await trx.updateTable("change").set({ request_json: "damaged {" }).where("id", "=", "chg-1").execute();
  });
  return file;
}

describe("a database from before the history was chained", () => {
  test("is chained when Curfew starts on it, and goes on from there", async () => {
    const file = await firstVersion(300);
    const store = await openTestStore(file);
    expect(await verify(file)).toMatchObject({ kind: "intact", length: 601 });
    await store.settle("chg-300", aSettlement(), [], []);
    expect(await verify(file)).toMatchObject({ kind: "intact", length: 602 });
    const db = openRaw(file);
    await db.updateTable("change").set({ reason: "altered" }).where("id", "=", "chg-299").execute();
    expect(await verify(file)).toMatchObject({ kind: "broken", changeId: "chg-299" });
  });

  test("is refused by whoever only reads, and left as it is", async () => {
    const file = await firstVersion(2);
    await expect(openHistory(file)).rejects.toMatchObject({ code: "OlderSchema", message: /version 1.*start Curfew/ });
    const db = openRaw(file);
    expect((await db.introspection.getTables()).map(({ name }) => name)).not.toContain("history_head");
  });
});

test("what is only read is neither made when it is missing, nor written to, nor taken from a newer version", async () => {
  const missing = newDatabaseFile();
  await expect(openHistory(missing)).rejects.toMatchObject({ code: "NoDatabase" });
  await expect(openHistory(missing)).rejects.toMatchObject({ code: "NoDatabase" });
  const file = newDatabaseFile();
  await (await openStore(file)).close();
  await openRaw(file)
    .withTables<{ migration: { version: number } }>()
    .insertInto("migration")
    .values({ version: 99 })
    .execute();
  await expect(openHistory(file)).rejects.toMatchObject({ code: "NewerSchema" });
});

test("the entries come oldest first, all of them or those since a moment, over more than one batch", async () => {
  const file = await firstVersion(300);
  await openTestStore(file);
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
