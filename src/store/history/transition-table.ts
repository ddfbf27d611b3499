import { setImmediate } from "node:timers/promises";
import { type CompiledQuery, type Kysely, type Selectable, sql, type Transaction } from "kysely";
import { TakenOverError } from "../../changes/receipts.ts";
import { type Database, isPostgres, type TransitionTable } from "../db/database.ts";
import { prepared, run } from "../db/prepared.ts";
import { closeReceipt, type OwnReceipt } from "../tables/receipt-table.ts";
import { type Entry, entryOf, type Link, linkAfter, type Transition } from "./history-chain.ts";

/** On PostgreSQL a part of the statement that appends; others see its rows by its name. */
export interface Part {
  readonly name: string;
  readonly query: CompiledQuery;
}

/** The part that decides: nothing is appended unless it returns a row. */
export const guardName = "guard";

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
    ? (await appendInOneStatement(trx, transition, [
        ...(receipt ? [{ name: guardName, query: closeReceipt.query(trx, receipt) }] : []),
        ...unnamed(alongside),
      ])) !== undefined
    : await append(trx, transition, alongside, receipt);
  if (appended) return;
  await requireHead(trx);
  throw new TakenOverError();
}

/** The parts of statements on which nothing depends. */
export const unnamed = (queries: readonly CompiledQuery[]): readonly Part[] =>
  queries.map((query, index) => ({ name: `part_${index}`, query }));

/** Throws if the history has no head: then nothing can be appended. */
export async function requireHead(db: Kysely<Database>): Promise<void> {
  if ((await readHead(db, {})).length === 0) throw new Error('the head of the history is missing: run "audit verify"');
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
 * as `hashOf` does. Undefined if the guard let nothing through. Outside of a transaction the statement is one by itself.
 */
export async function appendInOneStatement(
  db: Kysely<Database>,
  transition: Transition,
  parts: readonly Part[],
): Promise<Appended | undefined> {
  const names = parts.map(({ name }) => name).filter((name) => name === guardName || name === newEntityName);
  const [appended] = await runTogether(db, parts, appendLink.query(db, entryOf(transition), names.join()));
  return appended;
}

interface Appended {
  readonly hash: string;
  /** The rows of the part that stores a new entity, if there is one. */
  readonly entities: number;
}

/** The part that stores an entity, unless it is known already. */
export const newEntityName = "new_entity";

/** `variant`: the named parts that there are. */
const appendLink = prepared((db, row: Entry, variant) => {
  const text = sql`'{"content":' || ${row.content_json}::text || ',"previous":"' || head.hash || '"}'`;
  const entities = variant.includes(newEntityName)
    ? sql<number>`(select count(*) from ${sql.table(newEntityName)})`
    : sql<number>`0::bigint`;
  return db
    .with("head", (query) =>
      query
        .selectFrom("history_head")
        .select("hash")
        .$if(variant.includes(guardName), (head) =>
          head.where(sql<boolean>`exists (select 1 from ${sql.table(guardName)})`),
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
    .returning(["link.hash", entities.as("entities")]);
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
  return new Map(rows.map((row) => [row.change_id, row.sequence]));
}

/**
 * PostgreSQL: runs several statements in one round trip, as parts of the last one, and returns its rows. A part sees another's rows by
 * its name, but not its effects, and their order is undefined.
 */
export async function runTogether<Row>(
  db: Kysely<Database>,
  parts: readonly Part[],
  last: CompiledQuery<Row>,
): Promise<readonly Row[]> {
  const texts: string[] = [];
  const parameters: unknown[] = [];
  for (const { name, query } of parts) {
    texts.push(`"${name}" as (${renumbered(query.sql, parameters.length)})`);
    parameters.push(...query.parameters);
  }
  const end = renumbered(last.sql, parameters.length);
  // PostgreSQL allows data-modifying statements only in the outermost `with`.
  const sql =
    texts.length === 0 ? end : `with ${texts.join(", ")}${end.startsWith("with ") ? `, ${end.slice(5)}` : ` ${end}`}`;
  const whole: CompiledQuery<Row> = { ...last, sql, parameters: [...parameters, ...last.parameters] };
  return (await db.executeQuery(whole)).rows;
}

function renumbered(sql: string, by: number): string {
  return by === 0 ? sql : sql.replace(/\$(\d+)/g, (_, number) => `$${Number(number) + by}`);
}
