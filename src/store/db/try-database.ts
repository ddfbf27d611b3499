import { existsSync } from "node:fs";
import type { Db } from "./database.ts";
import { requireSchema } from "./migrate.ts";
import { isPostgresUrl, NoDatabaseError, openDatabase } from "./open-database.ts";
import { openSqliteToRead } from "./sqlite/open-sqlite.ts";

/** Throws what would keep a start from using the database: missing, not writable, or another schema. Changes and creates nothing. */
export async function tryDatabase(database: string): Promise<void> {
  if (!isPostgresUrl(database)) {
    if (!existsSync(database)) throw new NoDatabaseError(database);
    // Opening a file for writing alters it, so check first that it is Curfew's.
    await using(openSqliteToRead(database), requireSchema);
  }
  await using(openDatabase(database), async (db) => {
    await requireSchema(db);
    await writeAndRollBack(db);
  });
}

class RolledBack extends Error {}

async function writeAndRollBack(db: Db): Promise<void> {
  const written = db.transaction().execute(async (trx) => {
    await trx.insertInto("instance").values({ id: "doctor", seen_at: 0 }).execute();
    throw new RolledBack();
  });
  await written.catch((error: unknown) => {
    if (!(error instanceof RolledBack)) throw error;
  });
}

async function using(db: Db, use: (db: Db) => Promise<void>): Promise<void> {
  try {
    await use(db);
  } finally {
    await db.destroy();
  }
}
