import { setImmediate } from "node:timers/promises";
import { type CompiledQuery, type Kysely, type Nullable, type Selectable, sql, type Transaction } from "kysely";
import { TakenOverError } from "../../changes/receipts.ts";
import { type Database, isPostgres, type TransitionTable } from "../db/database.ts";
import { prepared, run } from "../db/prepared.ts";
import { closeReceipt, deleteOwn, type OwnReceipt } from "../tables/receipt-table.ts";
import { type Entry, entryOf, type Link, linkAfter, type Transition } from "./history-chain.ts";

/**
 * Appends to the history, in the transaction of the change's new state, and runs `alongside`: the other effects, none of
 * which may depend on another. Deletes the receipt, and throws a TakenOverError if it is no longer this instance's. Must be the
 * transaction's last step, since it locks out other appends.
 */
export async function appendTransition(
  trx: Transaction<Database>,
  transition: Transition,
  alongside: readonly CompiledQuery[] = [],
  receipt?: OwnReceipt,
): Promise<void> {
  const appended = isPostgres(trx)
    ? await appendInOneStatement(trx, transition, alongside, receipt)
    : await append(trx, transition, alongside, receipt);
  if (appended) return;
  if ((await readHead(trx, {})).length === 0) throw new Error('the head of the history is missing: run "audit verify"');
  throw new TakenOverError();
}

/** SQLite: one writer at a time, so no lock is needed. */
async function append(
  trx: Transaction<Database>,
  transition: Transition,
  alongside: readonly CompiledQuery[],
  receipt: OwnReceipt | undefined,
) {
  if (receipt && (await closeReceipt(trx, receipt)).length === 0) return false;
  for (const query of alongside) await run(trx, query);
  const [head] = await readHead(trx, {});
  if (!head) return false;
  const link = linkAfter(head.hash, transition);
  await insertLink(trx, link);
  await moveHead(trx, { hash: link.hash });
  return true;
}

const readHead = prepared((db) => db.selectFrom("history_head").select("hash"));

const insertLink = prepared((db, link: Link) => db.insertInto("transition").values(link));

const moveHead = prepared((db, { hash }: { readonly hash: string }) =>
  db.updateTable("history_head").set((column) => ({ hash, length: column("length", "+", 1) })),
);

/**
 * PostgreSQL: locks the head first, so a concurrent append waits for this transaction and continues from its hash. Reading only
 * the last row would let two rows follow the same one. One statement keeps the lock short, so SQL computes the hash,
 * as `hashOf` does.
 */
async function appendInOneStatement(
  trx: Transaction<Database>,
  transition: Transition,
  alongside: readonly CompiledQuery[],
  receipt: OwnReceipt | undefined,
) {
  const values = { receiptId: null, instance: null, ...receipt, ...entryOf(transition) };
  const rows = await runTogether(trx, alongside, appendLink.query(trx, values, receipt && "receipt"));
  return rows.length > 0;
}

/** With the variant "receipt", nothing is appended unless the receipt is deleted. */
const appendLink = prepared((db, { receiptId, instance, ...row }: Entry & Nullable<OwnReceipt>, variant) => {
  const text = sql`'{"content":' || ${row.content_json}::text || ',"previous":"' || head.hash || '"}'`;
  return db
    .with("closed", (query) => deleteOwn(query, { receiptId, instance }))
    .with("head", (query) =>
      query
        .selectFrom("history_head")
        .select("hash")
        .$if(variant === "receipt", (head) =>
          head.where(({ exists, selectFrom }) => exists(selectFrom("closed").select("id"))),
        )
        .forUpdate(),
    )
    .with("link", (query) =>
      query
        .insertInto("transition")
        .columns(["change_id", "state", "at", "content_json", "previous_hash", "hash"])
        .expression((from) =>
          from
            .selectFrom("head")
            .select([
              sql<string>`${row.change_id}::text`.as("change_id"),
              sql<string>`${row.state}::text`.as("state"),
              sql<number>`${row.at}::bigint`.as("at"),
              sql<string>`${row.content_json}::text`.as("content_json"),
              "head.hash as previous_hash",
              sql<string>`encode(sha256(convert_to(${text}, 'UTF8')), 'hex')`.as("hash"),
            ]),
        )
        .returning("hash"),
    )
    .updateTable("history_head")
    .from("link")
    .set((column) => ({ hash: column.ref("link.hash"), length: column("length", "+", 1) }))
    .returning("link.hash");
});

/** The next rows of the history, oldest first. */
export async function transitionsAfter(
  db: Kysely<Database>,
  { sequence, since = 0, limit }: { readonly sequence: number; readonly since?: number; readonly limit: number },
): Promise<readonly Selectable<TransitionTable>[]> {
  // SQLite is synchronous: without this pause no signal is handled before the last batch.
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
  return new Map(rows.map((row) => [row.change_id, row.sequence]));
}

/**
 * PostgreSQL: runs several statements in one round trip, as parts of the last one, and returns its rows. None sees another's
 * effects, and their order is undefined.
 */
export async function runTogether<Row>(
  trx: Transaction<Database>,
  statements: readonly CompiledQuery[],
  last: CompiledQuery<Row>,
): Promise<readonly Row[]> {
  const parts: string[] = [];
  const parameters: unknown[] = [];
  for (const statement of statements) {
    parts.push(`part_${parts.length} as (${renumbered(statement.sql, parameters.length)})`);
    parameters.push(...statement.parameters);
  }
  const end = renumbered(last.sql, parameters.length);
  // PostgreSQL allows data-modifying statements only in the outermost `with`.
  const sql =
    parts.length === 0 ? end : `with ${parts.join(", ")}${end.startsWith("with ") ? `, ${end.slice(5)}` : ` ${end}`}`;
  const whole: CompiledQuery<Row> = { ...last, sql, parameters: [...parameters, ...last.parameters] };
  return (await trx.executeQuery(whole)).rows;
}

function renumbered(sql: string, by: number): string {
  return by === 0 ? sql : sql.replace(/\$(\d+)/g, (_, number) => `$${Number(number) + by}`);
}
