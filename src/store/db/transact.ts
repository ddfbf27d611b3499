import type { Kysely, Transaction } from "kysely";
import type { Database, Db } from "./database.ts";

type AtEnd = (isCommitted: boolean) => unknown;

const endings = new WeakMap<Kysely<Database>, AtEnd[]>();

/** Runs the work in one transaction, then what it asked for at its end. */
export async function transact<T>(db: Db, work: (trx: Transaction<Database>) => Promise<T>): Promise<T> {
  const atEnds: AtEnd[] = [];
  let isCommitted = false;
  try {
    const result = await db.transaction().execute((trx) => {
      endings.set(trx, atEnds);
      return work(trx);
    });
    isCommitted = true;
    return result;
  } finally {
    for (const atEnd of atEnds) atEnd(isCommitted);
  }
}

/** For what the process knows: it changes when the database has. `trx`: of `transact`. */
export function atEnd(trx: Kysely<Database>, run: AtEnd): void {
  const atEnds = endings.get(trx);
  if (!atEnds) throw new Error("what is asked for at the end of a transaction needs transact");
  atEnds.push(run);
}

/** Waits for all of these statements of one transaction, also when one fails: none may run after its end. On PostgreSQL they share a round trip. */
export async function together(statements: readonly Promise<unknown>[]): Promise<void> {
  for (const result of await Promise.allSettled(statements)) if (result.status === "rejected") throw result.reason;
}
