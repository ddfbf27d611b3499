import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import type { DatabaseSync, DatabaseSyncInstance } from "@photostructure/sqlite";
import { type Driver, Kysely, SqliteDialect } from "kysely";
import { KnowingAdapter } from "../../known.ts";
import type { Database, Db } from "../database.ts";
import { isLocked, whenUnlocked } from "../lock-wait.ts";
import { isMigratable, newest } from "../migrations.ts";
import { type QueryEvents, queryLog } from "../query-log.ts";
import { alreadyOnDisk, logToDisk, type OnDiskFailed, type OpenFile, SqliteFileDriver } from "./sqlite-driver.ts";

/** Opens the file, creating it and its folder if missing. Every commit is on disk before it resolves. */
export function openSqlite(path: string, { onDiskFailed, ...queries }: FileEvents = {}): Db {
  const driver = new SqliteFileDriver(() => openFile(path, onDiskFailed ?? (() => undefined)));
  return new Kysely<Database>({ dialect: new FileDialect(driver), ...queryLog(queries) });
}

interface FileEvents extends QueryEvents {
  readonly onDiskFailed?: OnDiskFailed | undefined;
}

/** Opens an existing file read-only. Its transactions see one snapshot and block no writer. */
export function openSqliteToRead(path: string): Db {
  return new Kysely<Database>({ dialect: new FileDialect(new SqliteFileDriver(() => openFileToRead(path))) });
}

async function openFile(path: string, onDiskFailed: OnDiskFailed): Promise<OpenFile> {
  mkdirSync(dirname(path), { recursive: true });
  const Sqlite = await sqliteOfThisNode();
  return whenUnlocked(() => openNow(Sqlite, path, onDiskFailed));
}

/** `timeout: 0`, since SQLite would wait for a lock on the event loop. */
function openNow(Sqlite: typeof DatabaseSync, path: string, onDiskFailed: OnDiskFailed): OpenFile {
  const file = new Sqlite(path, { timeout: 0, enableForeignKeyConstraints: true });
  try {
    // A file that Curfew then refuses stays as it is.
    const mode = file.prepare(`pragma journal_mode${isRefused(file) ? "" : " = wal"}`).get();
    file.exec("pragma wal_autocheckpoint = 4000; pragma temp_store = memory");
    const hasLog = mode?.journal_mode === "wal";
    file.exec(`pragma synchronous = ${hasLog ? "normal" : "full"}`);
    // The first read creates the log.
    file.exec("select 1 from sqlite_schema");
    return { file, toDisk: hasLog ? logToDisk(path, onDiskFailed) : alreadyOnDisk };
  } catch (error) {
    file.close();
    throw error;
  }
}

/** Another program's file, or of a version that cannot be migrated. */
function isRefused(file: DatabaseSyncInstance): boolean {
  const tables = file.prepare("select name from sqlite_schema").all();
  if (tables.length === 0) return false;
  if (!["history_head", "migration"].every((table) => tables.some(({ name }) => name === table))) return true;
  const version = file.prepare("select max(version) as version from migration").get()?.version;
  return typeof version !== "number" || version > newest || !isMigratable(version);
}

async function openFileToRead(path: string): Promise<OpenFile> {
  const Sqlite = await sqliteOfThisNode();
  return { file: new Sqlite(path, { timeout: 5000, readOnly: true }), toDisk: alreadyOnDisk, isReadOnly: true };
}

/** Node 24 has SQLite built in with the same interface; Node 20 and 22 use the package. */
export async function sqliteOfThisNode(): Promise<typeof DatabaseSync> {
  const isBuiltIn = Number(process.versions.node.split(".")[0]) >= 24;
  const module: { DatabaseSync: typeof DatabaseSync } = isBuiltIn
    ? await import("node:sqlite" as "@photostructure/sqlite")
    : await import("@photostructure/sqlite");
  return module.DatabaseSync;
}

class FileDialect extends SqliteDialect {
  readonly #driver: SqliteFileDriver;
  constructor(driver: SqliteFileDriver) {
    super({ database: () => Promise.reject(new Error("SqliteFileDriver opens the file")) });
    this.#driver = driver;
  }
  override createDriver(): Driver {
    return this.#driver;
  }
  override createAdapter(): KnowingAdapter {
    return new KnowingAdapter(() => this.#driver.othersVersion());
  }
}

class DatabaseInUseError extends Error {
  readonly code = "DatabaseInUse";
  constructor(path: string) {
    super(
      `Another Curfew is running on ${path}. Nothing was changed: stop that one first. Several instances need PostgreSQL.`,
    );
    this.name = "DatabaseInUseError";
  }
}

/**
 * Keeps a second Curfew off a SQLite file until the returned function is called or the process ends.
 * It locks a file beside the database, so tools that only read the database still can.
 */
export async function holdFile(path: string): Promise<() => void> {
  if (path === ":memory:") return () => undefined;
  mkdirSync(dirname(path), { recursive: true });
  const Sqlite = await sqliteOfThisNode();
  const lock = new Sqlite(`${path}-running`, { timeout: 0 });
  try {
    lock.exec("begin exclusive");
  } catch (error) {
    lock.close();
    throw isLocked(error) ? new DatabaseInUseError(path) : error;
  }
  return () => {
    if (lock.isOpen) lock.close();
  };
}
