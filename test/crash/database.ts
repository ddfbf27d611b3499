import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Db } from "../../src/store/database.ts";
import { openSqliteToRead } from "../../src/store/open-sqlite.ts";

export const databaseKinds = ["sqlite"] as const;
export type DatabaseKind = (typeof databaseKinds)[number];

/** A database of its own for a real process, which the test looks into from beside it. */
export interface CrashDatabase {
  /** For DATABASE_URL. */
  readonly url: string;
  /** To read, once the process has made its tables. */
  open(): Db;
  remove(): Promise<void>;
}

export async function makeDatabase(kind: DatabaseKind): Promise<CrashDatabase> {
  switch (kind) {
    case "sqlite":
      return sqliteDatabase();
  }
}

/** What a dead process wrote is there without a disk: only a machine's death needs one, and it is slow. */
const memory = "/dev/shm";

function sqliteDatabase(): CrashDatabase {
  const folder = mkdtempSync(join(existsSync(memory) ? memory : tmpdir(), "curfew-crash-"));
  const file = join(folder, "curfew.db");
  return {
    url: `sqlite:${file}`,
    open: () => openSqliteToRead(file),
    remove: async () => rmSync(folder, { recursive: true, force: true }),
  };
}
