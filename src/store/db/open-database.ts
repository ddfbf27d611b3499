import type { Db } from "./database.ts";
import type { OnDiskFailed } from "./log-to-disk.ts";
import { type OnConnectionLost, openPostgres } from "./open-postgres.ts";
import { openSqlite } from "./open-sqlite.ts";
import type { OnQuery } from "./query-log.ts";
import type { StallMeter } from "./stall-meter.ts";

/** What is told of a database while it is open. */
export interface DatabaseEvents {
  readonly onConnectionLost?: OnConnectionLost;
  readonly onDiskFailed?: OnDiskFailed;
  readonly onQuery?: OnQuery;
  readonly stalls?: StallMeter;
}

/** Opens a database: the path of a SQLite file, or the URL of a PostgreSQL database. */
export function openDatabase(database: string, events: DatabaseEvents = {}): Db {
  return isPostgresUrl(database) ? openPostgres(database, events) : openSqlite(database, events);
}

export const isPostgresUrl = (database: string): boolean => /^postgres(?:ql)?:/i.test(database);

/** What a database is called where people read it: without user and password. */
export function databaseName(database: string): string {
  if (!isPostgresUrl(database)) return database;
  const { host, pathname } = new URL(database);
  return `PostgreSQL ${host}${pathname}`;
}

export class NoDatabaseError extends Error {
  readonly code = "NoDatabase";
  constructor(file: string) {
    super(`${file} does not exist. DATABASE_URL names the database.`);
    this.name = "NoDatabaseError";
  }
}
