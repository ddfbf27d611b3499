import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { openPostgres } from "../../src/store/db/open-postgres.ts";
import { openHistory } from "../../src/store/history/verify-history.ts";
import { openStore } from "../../src/store/open-store.ts";
import { aChange } from "../changes/build.ts";
import { newDatabase } from "../support/new-database.ts";
import { openRaw } from "./history-file.ts";
import { openTestStore } from "./open-test-store.ts";

/** Ends every other connection to the database, as a server restart does. */
async function cutConnections(database: string): Promise<void> {
  const db = openRaw(database);
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`.execute(db);
}

test("migrates an empty database once when many open it concurrently", async () => {
  const database = await newDatabase("empty");
  const stores = await Promise.all(Array.from({ length: 8 }, () => openTestStore(database)));
  await Promise.all(stores.map((store, index) => store.begin(aChange({ id: `chg-${index}` }))));
  expect(await stores[0]?.list({ limit: 20 })).toHaveLength(8);
});

test("two users with a schema each share a database, and see nothing of each other", async () => {
  const database = await newDatabase("empty");
  const db = openRaw(database);
  const stores = ["one", "two"].map(async (name) => {
    const role = `${name}_${new URL(database).pathname.slice(1)}`;
    await sql.raw(`create role ${role} login password 'secret'`).execute(db);
    await sql.raw(`create schema ${role} authorization ${role}`).execute(db);
    await sql.raw(`alter role ${role} set search_path = ${role}`).execute(db);
    const url = new URL(database);
    url.username = role;
    url.password = "secret";
    return openTestStore(url.href);
  });
  const [one, two] = await Promise.all(stores);
  await one?.begin(aChange());
  expect(await one?.find("chg-1")).toEqual(aChange());
  expect(await two?.find("chg-1")).toBeUndefined();
});

/** A store, and a promise of the reason for its lost connection. */
async function storeWithEvents(database: string) {
  let report: (reason: string) => void = () => undefined;
  const lost = new Promise<string>((resolve) => {
    report = resolve;
  });
  return { store: await openTestStore(database, { onConnectionLost: report }), lost };
}

test("reports a lost idle connection, and opens another for the next query", async () => {
  const database = await newDatabase();
  const { store, lost } = await storeWithEvents(database);
  await cutConnections(database);
  expect(await lost).toMatch(/terminating connection/);
  await store.begin(aChange());
  expect(await store.find("chg-1")).toEqual(aChange());
});

test("a connection lost in a transaction fails only that transaction", async () => {
  const database = await newDatabase();
  const { store, lost } = await storeWithEvents(database);
  const db = openPostgres(database);
  onTestFinished(() => db.destroy());
  const cut = db.transaction().execute(async (trx) => {
    await trx.updateTable("history_head").set({ length: 99 }).execute();
    await cutConnections(database);
    await trx.updateTable("history_head").set({ length: 100 }).execute();
  });
  await expect(cut).rejects.toThrow(/terminat|connection|ECONNRESET|EPIPE/i);
  await lost;
  // The store may not have noticed the loss of all its connections yet; `begin` is safe to repeat.
  await expect.poll(() => store.begin(aChange()).then(() => "begun", String)).toBe("begun");
  expect(await db.selectFrom("history_head").select("length").executeTakeFirst()).toEqual({ length: 1 });
});

test("does not reuse a connection after a query timeout", async () => {
  const db = openPostgres(`${await newDatabase()}?query_timeout=500`);
  onTestFinished(() => db.destroy());
  const connection = async () => (await sql<{ id: number }>`select pg_backend_pid() as id`.execute(db)).rows[0]?.id;
  const first = await connection();
  expect(await connection()).toBe(first);
  await expect(sql`select pg_sleep(5)`.execute(db)).rejects.toThrow("Query read timeout");
  expect(await connection()).not.toBe(first);
});

test("names an unreachable database without the password", async () => {
  const database = (await newDatabase()).replace("curfew@", "curfew:s3cret@");
  const missing = `${database}_none`;
  const closed = database.replace(/:\d+\//, ":9/");
  for (const [url, reason] of [
    [missing, /database "test_\w+_none" does not exist/],
    [closed, /ECONNREFUSED/],
  ] as const) {
    for (const open of [openStore, openHistory]) {
      const error: unknown = await open(url).catch((thrown: unknown) => thrown);
      expect(String(error)).toMatch(reason);
      expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain("s3cret");
    }
  }
});
