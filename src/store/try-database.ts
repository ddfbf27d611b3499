import { existsSync } from "node:fs";
import type { Db } from "./database.ts";
import { requireSchema } from "./migrate.ts";
import { NoDatabaseError } from "./open-history.ts";
import { openSqlite, openSqliteToRead } from "./open-sqlite.ts";

/**
 * Throws what keeps a start from using the database: it is not there, cannot be opened or written to, or has another schema. Leaves
 * it as it is, and makes none.
 */
export async function tryDatabase(file: string): Promise<void> {
  if (!existsSync(file)) throw new NoDatabaseError(file);
  // What is not Curfew's is not even opened to write, since that alone alters a file.
  await using(openSqliteToRead(file), requireSchema);
  await using(openSqlite(file), writeAndTakeBack);
}

class TakenBack extends Error {}

async function writeAndTakeBack(db: Db): Promise<void> {
  const written = db.transaction().execute(async (trx) => {
    await trx.schema.createTable("curfew_doctor").addColumn("id", "integer").execute();
    throw new TakenBack();
  });
  await written.catch((error: unknown) => {
    if (!(error instanceof TakenBack)) throw error;
  });
}

async function using(db: Db, use: (db: Db) => Promise<void>): Promise<void> {
  try {
    await use(db);
  } finally {
    await db.destroy();
  }
}
