import type { Transaction } from "kysely";
import type { BeforeCommit } from "../../changes/ports.ts";
import type { Database, Db } from "./database.ts";

/** Does all of the work or, when it or `beforeCommit` throws, nothing. */
export function inTransaction<T>(
  db: Db,
  work: (trx: Transaction<Database>) => Promise<T>,
  beforeCommit: BeforeCommit = () => undefined,
): Promise<T> {
  return db.transaction().execute(async (trx) => {
    const result = await work(trx);
    beforeCommit();
    return result;
  });
}
