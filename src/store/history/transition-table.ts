import { setImmediate } from "node:timers/promises";
import { type Kysely, sql, type Transaction } from "kysely";
import { z } from "zod";
import type { AuditEvents, AuditStore } from "../../changes/audit.ts";
import { type Database, type Db, isPostgres, type TransitionTable } from "../db/database.ts";
import { afterCommit, announceCommit, transact, withCommit } from "../db/transact.ts";
import { knownOf } from "../known.ts";
import { type Entry, entryOf, linkAfter, type Transition } from "./history-chain.ts";

/**
 * Appends to the history, in the transaction of the change's new state. Must be the transaction's last step: it locks the head first,
 * so a concurrent append waits for this transaction and continues from its hash. Reading only the last row would let two
 * rows follow the same one.
 */
export async function appendTransition(trx: Transaction<Database>, transition: Transition): Promise<void> {
  announceCommit(trx, "transition", transition.at);
  const known = knownOf(trx);
  const listener = listeners.get(trx.getExecutor().adapter);
  const entry = entryOf({ config: listener?.config(), ...transition });
  if (isPostgres(trx)) {
    const rows = await appendInDatabase(trx, entry);
    return afterCommit(trx, () => rows.forEach((row) => void listener?.onAppended(row)));
  }
  const row = await appendAfter(trx, known?.head, entry);
  // Of a transaction that fails, the head is not the known one, and is read.
  if (known) known.head = row.hash;
  if (listener) afterCommit(trx, () => listener.onAppended(row));
}

export const createAuditStore = (db: Db): AuditStore => ({
  appendEvent: (state, at, event) => transact(db, (trx) => appendTransition(trx, { state, at, facts: { event } })),
  configInForce: (at, config, event) =>
    transact(db, async (trx) => {
      // Locks it: instances that take over the same config record it once.
      await readHead(trx);
      const last = await trx
        .selectFrom("transition")
        .select("content_json")
        .where("state", "=", inForce)
        .where("change_id", "is", null)
        .orderBy("sequence", "desc")
        .limit(1)
        .executeTakeFirst();
      const known = last && inForceSchema.parse(JSON.parse(last.content_json));
      if (known?.config === config) return { hash: config, since: known.at, by: known.event.actor };
      await appendTransition(trx, { state: inForce, at, config, facts: { event } });
      return { hash: config, since: at, by: event.actor };
    }),
});

const inForce: keyof AuditEvents = "config-in-force";
const inForceSchema = z.object({ config: z.string(), at: z.number(), event: z.object({ actor: z.string() }) });

export interface HistoryListener {
  /** The hash of the config in force, for each entry. */
  readonly config: () => string | undefined;
  /** Called after the commit. */
  readonly onAppended: (row: TransitionTable) => void;
}

/** By the adapter, which a database shares with its transactions. */
const listeners = new WeakMap<object, HistoryListener>();

export const listenToHistory = (db: Db, listener: HistoryListener): void =>
  void listeners.set(db.getExecutor().adapter, listener);

/** Moves the head to the new link, which follows the present one. */
async function appendAfter(
  trx: Transaction<Database>,
  known: string | undefined,
  entry: Entry,
): Promise<TransitionTable> {
  const link = linkAfter(known ?? (await readHead(trx)), entry);
  const head = await trx
    .updateTable("history_head")
    .set((column) => ({ hash: link.hash, length: column("length", "+", 1) }))
    .where("hash", "=", link.previous_hash)
    .returning("length")
    .executeTakeFirst();
  if (!head) return appendAfter(trx, undefined, entry);
  const row = { sequence: head.length, ...link };
  await trx.insertInto("transition").values(row).execute();
  return row;
}

/**
 * The same in one statement, which computes the hash (`hashOf`) and is sent with the commit: every append of every instance waits for the
 * head. Without a head there is no place for the row, and the transaction fails.
 */
function appendInDatabase(trx: Transaction<Database>, entry: Entry): Promise<readonly TransitionTable[]> {
  const text = sql`'{"content":' || ${entry.content_json}::text || ',"previous":"' || hash || '"}'`;
  const hash = sql<string>`encode(sha256(convert_to(${text}, 'UTF8')), 'hex')`;
  return trx
    .with("head", (db) =>
      db
        .selectFrom("history_head")
        .select(({ eb }) => [eb("length", "+", 1).as("sequence"), "hash as previous_hash", hash.as("hash")])
        .forUpdate(),
    )
    .with("moved", (db) =>
      db
        .updateTable("history_head")
        .from("head")
        .set(({ ref }) => ({ length: ref("head.sequence"), hash: ref("head.hash") })),
    )
    .insertInto("transition")
    .values(({ selectFrom }) => ({
      ...entry,
      sequence: selectFrom("head").select("sequence"),
      previous_hash: selectFrom("head").select("previous_hash"),
      hash: selectFrom("head").select("hash"),
    }))
    .returningAll()
    .modifyEnd(sql.raw(withCommit))
    .execute();
}

async function readHead(trx: Transaction<Database>): Promise<string> {
  const head = await trx
    .selectFrom("history_head")
    .select("hash")
    // SQLite has one writer at a time.
    .$if(isPostgres(trx), (query) => query.forUpdate())
    .executeTakeFirst();
  if (!head) throw new Error('the head of the history is missing: run "audit verify"');
  return head.hash;
}

const batchSize = 500;

/** The rows of the history after a place, oldest first, a batch at a time. */
export async function* transitionsOf(
  db: Kysely<Database>,
  since = 0,
  from = 0,
): AsyncGenerator<readonly TransitionTable[]> {
  const rows = db.selectFrom("transition").selectAll().where("at", ">=", since).orderBy("sequence").limit(batchSize);
  for (let after = from; ; ) {
    // SQLite is synchronous: without this pause no signal is handled before the last batch.
    await setImmediate();
    const batch = await rows.where("sequence", ">", after).execute();
    yield batch;
    if (batch.length < batchSize) return;
    after = batch.at(-1)?.sequence ?? after;
  }
}

export async function transitionCount(db: Kysely<Database>, since: number): Promise<number> {
  const counted = db.selectFrom("transition").select((select) => select.fn.countAll().as("count"));
  return Number((await counted.where("at", ">=", since).executeTakeFirstOrThrow()).count);
}

/** The last sequence number of each change. */
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
  return new Map(rows.map((row) => [row.change_id ?? "", row.sequence]));
}
