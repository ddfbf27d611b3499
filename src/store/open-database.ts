import type { Db } from "./database.ts";
import { type OnConnectionLost, openPostgres } from "./open-postgres.ts";
import { openSqlite } from "./open-sqlite.ts";

/** Opens a database: the path of a SQLite file, or the URL of a PostgreSQL database. */
export function openDatabase(database: string, onConnectionLost?: OnConnectionLost): Db {
  return isPostgresUrl(database) ? openPostgres(database, onConnectionLost) : openSqlite(database);
}

export const isPostgresUrl = (database: string): boolean => /^postgres(?:ql)?:/i.test(database);

/** What a database is called where people read it: without user and password. */
export function databaseName(database: string): string {
  if (!isPostgresUrl(database)) return database;
  const { host, pathname } = new URL(database);
  return `PostgreSQL ${host}${pathname}`;
}
