import { rmSync } from "node:fs";
import { join } from "node:path";
import { inject } from "vitest";
import type { Db } from "../../src/store/db/database.ts";
import { openPostgres } from "../../src/store/db/open-postgres.ts";
import { openSqliteToRead } from "../../src/store/db/sqlite/open-sqlite.ts";
import { makeFolder } from "../support/memory-folder.ts";
import { makeDatabase } from "../support/new-database.ts";
import type { PostgresServer } from "../support/postgres.ts";

/** A separate database for real processes, which the test can query too. */
export interface CrashDatabase {
  readonly kind: "sqlite" | "postgres";
  /** For DATABASE_URL. */
  readonly url: string;
  /** Usable once a process has created the tables. */
  open(): Db;
  remove(): Promise<void>;
}

/** Of the present test project's kind. */
export async function makeCrashDatabase(): Promise<CrashDatabase> {
  if (inject("postgresUrl") === undefined) return makeFile();
  const { database: url, remove } = await makeDatabase("empty");
  return { kind: "postgres", url, open: () => openPostgres(url), remove };
}

/** On a separate server, which the test can crash. */
export function serverDatabase({ url }: PostgresServer): CrashDatabase {
  return {
    kind: "postgres",
    url: `${url}/postgres`,
    open: () => openPostgres(`${url}/postgres`),
    remove: async () => undefined,
  };
}

function makeFile(): CrashDatabase {
  const folder = makeFolder("curfew-crash");
  const file = join(folder, "curfew.db");
  return {
    kind: "sqlite",
    url: `sqlite:${file}`,
    open: () => openSqliteToRead(file),
    remove: async () => rmSync(folder, { recursive: true, force: true }),
  };
}
