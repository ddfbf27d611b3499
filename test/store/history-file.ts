import { onTestFinished } from "vitest";
import type { Db } from "../../src/store/db/database.ts";
import { openDatabase } from "../../src/store/db/open-database.ts";
import { type Head, type HistoryCheck, openHistory } from "../../src/store/history/verify-history.ts";

/** A second connection to the database; closed when the test is finished. */
export function openRaw(database: string): Db {
  const db = openDatabase(database);
  onTestFinished(() => db.destroy());
  return db;
}

export async function verify(database: string, ...expected: readonly Head[]): Promise<HistoryCheck> {
  const history = await openHistory(database);
  try {
    return await history.verify(expected);
  } finally {
    await history.close();
  }
}
