import type { Db } from "./database.ts";
import { type OnConnectionLost, openPostgres } from "./open-postgres.ts";
import type { QueryEvents } from "./query-log.ts";
import type { OnDiskFailed } from "./sqlite/log-to-disk.ts";
import { openSqlite } from "./sqlite/open-sqlite.ts";

/** Called while a database is open. */
export interface DatabaseEvents extends QueryEvents {
  readonly onConnectionLost?: OnConnectionLost;
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
