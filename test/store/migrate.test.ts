import { expect, test } from "vitest";
import { openHistory } from "../../src/store/history/verify-history.ts";
import { openDirectory } from "../../src/store/open-directory.ts";
import { openStore } from "../../src/store/open-store.ts";
import { aChange } from "../changes/build.ts";
import { execute } from "../support/execute.ts";
import { newDatabase } from "../support/new-database.ts";
import { openRaw } from "./history-file.ts";
import { openTestStore } from "./open-test-store.ts";
import { schemaOf } from "./schema-of.ts";

test("sets up an empty database, or a missing file with its folder", async () => {
  const store = await openTestStore(await newDatabase("empty"));
  await store.begin(aChange());
  expect(await store.find("chg-1")).toEqual(aChange());
});

test("keeps the data of a database that is opened again", async () => {
  const database = await newDatabase("empty");
  const first = await openStore(database);
  await first.begin(aChange());
  await first.close();
  const second = await openTestStore(database);
  expect(await second.find("chg-1")).toEqual(aChange());
});

test.each([
  ["a newer Curfew", "insert into migration values (999)", "NewerSchema", /version 999,.*only 102\..*start the newer/],
  ["a development version", "update migration set version = 13", "OtherSchema", /version 13 .*start the last Curfew/],
  ["another program", "drop table history_head", "OtherSchema", /another program's tables.*name Curfew's database/],
])("refuses a database of %s, and changes nothing", async (_whose, statement, code, message) => {
  const database = await newDatabase("empty");
  await (await openStore(database)).close();
  await execute(database, statement);
  const before = await schemaOf(database);
  const refused = { code, message: expect.stringMatching(message) };
  await expect(openStore(database)).rejects.toMatchObject(refused);
  await expect(openHistory(database)).rejects.toMatchObject(refused);
  await expect(openDirectory(database)).rejects.toMatchObject(refused);
  expect(await schemaOf(database)).toEqual(before);
});

test("refuses a value that the databases would store differently", async () => {
  const database = await newDatabase();
  await (await openStore(database)).close();
  const db = openRaw(database);
  const date: unknown = new Date(0);
  const rows = db.withTables<{ migration: { version: unknown } }>();
  await expect(rows.insertInto("migration").values({ version: date }).execute()).rejects.toThrow(/cannot store/);
  await expect(rows.insertInto("migration").values({ version: true }).execute()).rejects.toThrow(/cannot store/);
});
