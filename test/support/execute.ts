import { setTimeout as later } from "node:timers/promises";
import { sql } from "kysely";
import { isPostgresUrl, openDatabase } from "../../src/store/db/open-database.ts";
import { sqliteOfThisNode } from "../../src/store/db/sqlite/open-sqlite.ts";

/** Writes to a database without Curfew's knowledge, as another version or a faulty disk would. */
export async function execute(database: string, statement: string): Promise<void> {
  if (!isPostgresUrl(database)) return executeInFile(database, statement);
  const db = openDatabase(database);
  await sql.raw(statement).execute(db);
  await db.destroy();
}

/** Curfew may be writing in this same process. Waiting as SQLite does would keep it from finishing. */
async function executeInFile(path: string, statement: string): Promise<void> {
  const file = new (await sqliteOfThisNode())(path, { timeout: 0, enableForeignKeyConstraints: true });
  try {
    while (!isDone(() => file.exec(statement))) await later(1);
  } finally {
    file.close();
  }
}

function isDone(work: () => void): boolean {
  try {
    work();
    return true;
  } catch (error) {
    if (error instanceof Error && error.message.includes("database is locked")) return false;
    throw error;
  }
}
