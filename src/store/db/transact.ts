import { AsyncResource } from "node:async_hooks";
import type { Kysely, Transaction } from "kysely";
import type { OnCommitted } from "../../changes/ports.ts";
import type { Database, Db } from "./database.ts";

const endings = new WeakMap<Kysely<Database>, (() => void)[]>();

/** Runs the work in one transaction, then what it asked for after its commit. */
export async function transact<T>(db: Db, work: (trx: Transaction<Database>) => Promise<T>): Promise<T> {
  const afterwards: (() => void)[] = [];
  const result = await db.transaction().execute((trx) => {
    endings.set(trx, afterwards);
    return work(trx);
  });
  for (const run of afterwards) run();
  return result;
}

/** Runs it when what was written so far is committed: at the end of `transact`, or immediately outside a transaction. */
export function afterCommit(db: Kysely<Database>, run: () => void): void {
  if (db.isTransaction) endings.get(db)?.push(run);
  else run();
}

/** Waits for all of these statements of one transaction, also when one fails: none may run after its end. On PostgreSQL they share a round trip. */
export async function together(statements: readonly Promise<unknown>[]): Promise<void> {
  for (const result of await Promise.allSettled(statements)) if (result.status === "rejected") throw result.reason;
}

/**
 * Ends a statement of PostgreSQL that is sent with the commit, so that who waits for its locks never waits for this process. It gives its
 * rows after the commit.
 */
export const withCommit = "/* with the commit */";

/** By the adapter, which a database shares with its transactions. */
const listeners = new WeakMap<object, OnCommitted[]>();

/** Runs it after each commit, apart from the request that committed. */
export function listenToCommits(db: Db, run: OnCommitted): void {
  const { adapter } = db.getExecutor();
  listeners.set(adapter, [...(listeners.get(adapter) ?? []), AsyncResource.bind(run)]);
}

/** To be announced once it is committed. */
export function announceCommit(db: Kysely<Database>, ...committed: Parameters<OnCommitted>): void {
  afterCommit(db, () => {
    for (const run of listeners.get(db.getExecutor().adapter) ?? []) run(...committed);
  });
}
