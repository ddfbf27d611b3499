import { expect, test } from "vitest";
import { migrate, NewerSchemaError } from "../../src/store/db/migrate.ts";
import { initial, runMigration } from "../../src/store/db/migrations.ts";
import { openStore } from "../../src/store/open-store.ts";
import { aChange } from "../changes/build.ts";
import { execute } from "../support/execute.ts";
import { newDatabase } from "../support/new-database.ts";
import { openRaw } from "./history-file.ts";
import { openTestStore } from "./open-test-store.ts";

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

test("keeps the groups of a database that knows no actions of them", async () => {
  const database = await newDatabase("empty");
  const db = openRaw(database);
  await runMigration(db, initial);
  await execute(database, "create table migration (version integer primary key)");
  await execute(database, "insert into migration values (1)");
  const columns = "name, type, project_id, ids_json, saved_by, saved_at";
  const values = `'web', 'amazon-ec2-instance', 'p-dev', '["i-1"]', 'U01ALICE', 0`;
  await execute(database, `insert into resource_group (${columns}) values (${values})`);
  const store = await openTestStore(database);
  expect(await store.groups()).toEqual({ web: { type: "amazon-ec2-instance", project: "p-dev", ids: ["i-1"] } });
});

test("refuses a database of a newer version", async () => {
  const database = await newDatabase("empty");
  const db = openRaw(database);
  await migrate(db);
  const versions = db.withTables<{ migration: { version: number } }>();
  await versions.insertInto("migration").values({ version: 99 }).execute();
  await expect(openStore(database)).rejects.toThrow(NewerSchemaError);
  const message = expect.stringContaining("99");
  await expect(openStore(database)).rejects.toMatchObject({ code: "NewerSchema", message });
});

test("refuses a value that the databases would store differently", async () => {
  const db = openRaw(await newDatabase());
  await migrate(db);
  const date: unknown = new Date(0);
  const rows = db.withTables<{ migration: { version: unknown } }>();
  await expect(rows.insertInto("migration").values({ version: date }).execute()).rejects.toThrow(/cannot store/);
  await expect(rows.insertInto("migration").values({ version: true }).execute()).rejects.toThrow(/cannot store/);
});
