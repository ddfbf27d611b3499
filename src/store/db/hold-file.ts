import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { sqliteOfThisNode } from "./open-sqlite.ts";

export class DatabaseInUseError extends Error {
  readonly code = "DatabaseInUse";
  constructor(path: string) {
    super(
      `Another Curfew is running on ${path}. Nothing was changed: stop that one first. Only on PostgreSQL may several share the work.`,
    );
    this.name = "DatabaseInUseError";
  }
}

/**
 * Lets one Curfew alone run on a SQLite file, until what this gives is called or the process ends, however it does. What is held is
 * a lock on a file beside it, so that whoever only reads the database is not kept out.
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
