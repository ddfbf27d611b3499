import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inject } from "vitest";
import type { Db } from "../../src/store/db/database.ts";
import { openPostgres } from "../../src/store/db/open-postgres.ts";
import { openSqliteToRead } from "../../src/store/db/open-sqlite.ts";
import { makeDatabase } from "../support/new-database.ts";
import type { PostgresServer } from "../support/postgres.ts";

/** A database of its own for real processes, into which the test looks from beside them. */
export interface CrashDatabase {
  readonly kind: "sqlite" | "postgres";
  /** For DATABASE_URL. */
  readonly url: string;
  /** To be used once a process has made its tables. */
  open(): Db;
  remove(): Promise<void>;
}

/** Of the kind that the tests at hand run on. */
export async function makeCrashDatabase(): Promise<CrashDatabase> {
  if (inject("postgresUrl") === undefined) return makeFile();
  const { database: url, remove } = await makeDatabase("empty");
  return { kind: "postgres", url, open: () => openPostgres(url), remove };
}

/** On a server of its own, which the test can have crash. */
export function serverDatabase({ url }: PostgresServer): CrashDatabase {
  return {
    kind: "postgres",
    url: `${url}/postgres`,
    open: () => openPostgres(`${url}/postgres`),
    remove: async () => undefined,
  };
}

/** What a dead process wrote is there without a disk: only a instance's death needs one, and it is slow. */
const memory = "/dev/shm";

function makeFile(): CrashDatabase {
  const folder = mkdtempSync(join(existsSync(memory) ? memory : tmpdir(), "curfew-crash-"));
  const file = join(folder, "curfew.db");
  return {
    kind: "sqlite",
    url: `sqlite:${file}`,
    open: () => openSqliteToRead(file),
    remove: async () => rmSync(folder, { recursive: true, force: true }),
  };
}
