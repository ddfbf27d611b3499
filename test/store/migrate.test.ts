import { expect, test } from "vitest";
import { migrate, NewerSchemaError } from "../../src/store/migrate.ts";
import { openSqlite } from "../../src/store/open-sqlite.ts";
import { openStore } from "../../src/store/open-store.ts";
import { aChange } from "../changes/build.ts";
import { newDatabaseFile, openTestStore } from "./open-test-store.ts";

test("a file that does not exist is made, folder and all, and works", async () => {
  const store = await openTestStore(newDatabaseFile());
  await store.begin(aChange());
  expect(await store.find("chg-1")).toEqual(aChange());
});

test("a database that is opened again keeps what is in it", async () => {
  const file = newDatabaseFile();
  const first = await openStore(file);
  await first.begin(aChange());
  await first.close();
  const second = await openTestStore(file);
  expect(await second.find("chg-1")).toEqual(aChange());
});

test("a database of a newer version is refused and left as it is", async () => {
  const file = newDatabaseFile();
  const db = openSqlite(file);
  await migrate(db);
  const versions = db.withTables<{ migration: { version: number } }>();
  await versions.insertInto("migration").values({ version: 99 }).execute();
  await db.destroy();
  await expect(openStore(file)).rejects.toThrow(NewerSchemaError);
  await expect(openStore(file)).rejects.toMatchObject({ code: "NewerSchema", message: expect.stringContaining("99") });
});

test("a value that a database would store as something else is refused", async () => {
  const db = openSqlite(newDatabaseFile());
  await migrate(db);
  const date: unknown = new Date(0);
  const rows = db.withTables<{ migration: { version: unknown } }>();
  await expect(rows.insertInto("migration").values({ version: date }).execute()).rejects.toThrow(/cannot store/);
  await expect(rows.insertInto("migration").values({ version: true }).execute()).rejects.toThrow(/cannot store/);
  await db.destroy();
});
