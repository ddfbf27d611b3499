import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { sqliteOfThisNode } from "./open-sqlite.ts";

export class DatabaseInUseError extends Error {
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
    throw isBusy(error) ? new DatabaseInUseError(path) : error;
  }
  return () => {
    if (lock.isOpen) lock.close();
  };
}

const isBusy = (error: unknown): boolean => error instanceof Error && "errcode" in error && error.errcode === 5;
