import { existsSync } from "node:fs";
import type { Db } from "./database.ts";
import { requireSchema } from "./migrate.ts";
import { openPostgres, type PostgresEvents } from "./open-postgres.ts";
import { openSqlite, openSqliteToRead } from "./sqlite/open-sqlite.ts";
import type { OnDiskFailed } from "./sqlite/sqlite-driver.ts";

/** Called while a database is open. */
export interface DatabaseEvents extends PostgresEvents {
  readonly onDiskFailed?: OnDiskFailed;
}

/** Opens a database: the path of a SQLite file, or the URL of a PostgreSQL database. */
export function openDatabase(database: string, events: DatabaseEvents = {}): Db {
  return isPostgresUrl(database) ? openPostgres(database, events) : openSqlite(database, events);
}

export const isPostgresUrl = (database: string): boolean => /^postgres(?:ql)?:/i.test(database);

/** The database's name for people: without user and password. */
export function databaseName(database: string): string {
  if (!isPostgresUrl(database)) return database;
  const { host, pathname } = new URL(database);
  return `PostgreSQL ${host}${pathname}`;
}

export class NoDatabaseError extends Error {
  readonly code = "NoDatabase";
  constructor(file: string) {
    super(`${file} does not exist. Start Curfew on it once, or set DATABASE_URL to the database.`);
    this.name = "NoDatabaseError";
  }
}

/** Opens a database that exists and has exactly this version's schema. Creates and changes nothing. */
export async function openExisting(database: string, access: "read" | "write"): Promise<Db> {
  const isFile = !isPostgresUrl(database);
  if (isFile && !existsSync(database)) throw new NoDatabaseError(database);
  const db = isFile && access === "read" ? openSqliteToRead(database) : openDatabase(database);
  try {
    await requireSchema(db);
    return db;
  } catch (error) {
    await db.destroy();
    throw error;
  }
}

/** Throws what would keep a start from using the database: missing, not writable, or another schema. Changes and creates nothing. */
export async function tryDatabase(database: string): Promise<void> {
  // Opening a file for writing alters it, so check first that it is Curfew's.
  await (await openExisting(database, "read")).destroy();
  const db = await openExisting(database, "write");
  try {
    await writeAndRollBack(db);
  } finally {
    await db.destroy();
  }
}

class RolledBack extends Error {}

async function writeAndRollBack(db: Db): Promise<void> {
  const written = db.transaction().execute(async (trx) => {
    await trx.insertInto("instance").values({ id: "doctor", seen_at: 0 }).execute();
    throw new RolledBack();
  });
  await written.catch((error: unknown) => {
    if (!(error instanceof RolledBack)) throw error;
  });
}
