import { expect, test } from "vitest";
import { execute } from "../support/execute.ts";
import { newDatabase } from "../support/new-database.ts";
import { aHealthyPlace, complaints, failed } from "./doctor-place.ts";

/** A place with a PostgreSQL database, and the doctor's report for another URL. */
async function onPostgres() {
  const database = await newDatabase();
  const { env, files } = await aHealthyPlace({ database });
  return { database, complaintsOf: (url: string) => complaints({ env: { ...env, DATABASE_URL: url }, files }) };
}

test("a healthy PostgreSQL database is left unchanged", async () => {
  const { database, complaintsOf } = await onPostgres();
  expect(await complaintsOf(database)).toEqual([]);
  await execute(database, "do $$ begin assert not exists (select from instance where id = 'doctor'); end $$");
});

test.each([
  ["update migration set version = 14", "warning", "schema version 14"],
  ["update migration set version = 13", "failed", "before 1.0"],
  ["drop table migration", "failed", "another program's tables"],
  ["insert into migration values (999)", "failed", "schema version 999"],
])("reports a PostgreSQL database of another version (%s)", async (statement, verdict, what) => {
  const { database, complaintsOf } = await onPostgres();
  await execute(database, statement);
  expect(await complaintsOf(database)).toMatchObject([
    { name: "database", verdict, what: expect.stringContaining(what) },
  ]);
});

test("a read-only PostgreSQL database fails", async () => {
  const { database, complaintsOf } = await onPostgres();
  const readOnly = `${database}?options=-c%20default_transaction_read_only%3Don`;
  expect(await complaintsOf(readOnly)).toEqual([failed("database", expect.stringContaining("read-only transaction"))]);
});

test("a missing PostgreSQL database or server fails, and no password is shown", async () => {
  const { database, complaintsOf } = await onPostgres();
  const { host, username } = new URL(database);
  const url = (at: string) => `postgres://${username}:hush-hush@${at}/nowhere`;
  const nowhere = [failed("database", `PostgreSQL ${host}/nowhere cannot be used: database "nowhere" does not exist`)];
  expect(await complaintsOf(url(host))).toEqual(nowhere);
  const [found] = await complaintsOf(url("127.0.0.1:1"));
  expect(found).toMatchObject({ name: "database", verdict: "failed", what: expect.stringContaining("ECONNREFUSED") });
  expect(JSON.stringify(found)).not.toContain("hush");
});
