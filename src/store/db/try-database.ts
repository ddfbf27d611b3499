import { existsSync } from "node:fs";
import type { Db } from "./database.ts";
import { requireSchema } from "./migrate.ts";
import { isPostgresUrl, NoDatabaseError, openDatabase } from "./open-database.ts";
import { openSqliteToRead } from "./open-sqlite.ts";

/**
 * Throws what keeps a start from using the database: it is not there, cannot be opened or written to, or has another schema. Leaves
 * it as it is, and makes none.
 */
export async function tryDatabase(database: string): Promise<void> {
  if (!isPostgresUrl(database)) {
    if (!existsSync(database)) throw new NoDatabaseError(database);
    // A file that is not Curfew's is not even opened to write, since that alone alters it.
    await using(openSqliteToRead(database), requireSchema);
  }
  await using(openDatabase(database), async (db) => {
    await requireSchema(db);
    await writeAndTakeBack(db);
  });
}

class TakenBack extends Error {}

async function writeAndTakeBack(db: Db): Promise<void> {
  const written = db.transaction().execute(async (trx) => {
    await trx.insertInto("instance").values({ id: "doctor", seen_at: 0 }).execute();
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
