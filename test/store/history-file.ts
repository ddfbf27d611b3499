import { onTestFinished } from "vitest";
import type { Db } from "../../src/store/database.ts";
import { openHistory } from "../../src/store/open-history.ts";
import { openSqlite } from "../../src/store/open-sqlite.ts";
import type { HistoryCheck } from "../../src/store/verify-history.ts";

/** A database file as somebody else opens it; closed when the test is finished. */
export function openRaw(file: string): Db {
  const db = openSqlite(file);
  onTestFinished(() => db.destroy());
  return db;
}

export async function verify(file: string): Promise<HistoryCheck> {
  const history = await openHistory(file);
  try {
    return await history.verify();
  } finally {
    await history.close();
  }
}
