import { setImmediate } from "node:timers/promises";
import type { Kysely, Selectable, Transaction } from "kysely";
import { type Database, isPostgres, type TransitionTable } from "./database.ts";
import { type Link, linkAfter, type Transition } from "./history-chain.ts";
import { prepared } from "./prepared.ts";

/**
 * Appends to the history, in the transaction that brings the change into the state. The head is held from the first look at it, so
 * that whoever appends at the same time waits for this transaction and then continues from its hash: with a mere look at the last
 * row, two could follow the same one. SQLite lets one transaction write at a time.
 */
export async function appendTransition(trx: Transaction<Database>, transition: Transition): Promise<void> {
  const [head] = await headHeld(trx, {});
  if (!head) throw new Error("the head of the history is missing, so nothing can be added to it");
  const link = linkAfter(head.hash, transition);
  await insertLink(trx, link);
  await moveHead(trx, { hash: link.hash });
}

const headHeld = prepared((db) =>
  db
    .selectFrom("history_head")
    .select("hash")
    .$if(isPostgres(db), (query) => query.forUpdate()),
);

const insertLink = prepared((db, link: Link) => db.insertInto("transition").values(link));

const moveHead = prepared((db, { hash }: { readonly hash: string }) =>
  db.updateTable("history_head").set((column) => ({ hash, length: column("length", "+", 1) })),
);

/** The next rows of the history, oldest first. */
export async function transitionsAfter(
  db: Kysely<Database>,
  { sequence, since = 0, limit }: { readonly sequence: number; readonly since?: number; readonly limit: number },
): Promise<readonly Selectable<TransitionTable>[]> {
  // SQLite answers at once: without a pause between the batches, no signal would get through before the last.
  await setImmediate();
  return db
    .selectFrom("transition")
    .selectAll()
    .where("sequence", ">", sequence)
    .where("at", ">=", since)
    .orderBy("sequence")
    .limit(limit)
    .execute();
}

/** The last place of each change in the history. */
export async function lastSequences(
  db: Kysely<Database>,
  changeIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom("transition")
    .select((select) => ["change_id", select.fn.max("sequence").as("sequence")])
    .where("change_id", "in", changeIds)
    .groupBy("change_id")
    .execute();
  return new Map(rows.map((row) => [row.change_id, row.sequence]));
}
