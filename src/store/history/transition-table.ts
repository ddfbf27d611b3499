import { setImmediate } from "node:timers/promises";
import { type CompiledQuery, type Kysely, type Selectable, sql, type Transaction } from "kysely";
import { type Database, isPostgres, type TransitionTable } from "../db/database.ts";
import { prepared, run } from "../db/prepared.ts";
import { runTogether } from "../db/run-together.ts";
import { type Entry, entryOf, type Link, linkAfter, type Transition } from "./history-chain.ts";

/**
 * Appends to the history, in the transaction that brings the change into the state, and runs `alongside`: what else it brings, none of
 * which needs to see the rest. To be the transaction's last step, so that whoever else appends need not wait for long.
 */
export async function appendTransition(
  trx: Transaction<Database>,
  transition: Transition,
  alongside: readonly CompiledQuery[] = [],
): Promise<void> {
  const appended = isPostgres(trx)
    ? await appendAtOnce(trx, transition, alongside)
    : await append(trx, transition, alongside);
  if (!appended) throw new Error("the head of the history is missing, so nothing can be added to it");
}

/** SQLite lets one transaction write at a time. */
async function append(trx: Transaction<Database>, transition: Transition, alongside: readonly CompiledQuery[]) {
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
 * On PostgreSQL the head is held from the first look at it, so that whoever appends at the same time waits for this transaction and then
 * continues from its hash: with a mere look at the last row, two could follow the same one. They do not wait for long, since it is all
 * one statement (in which PostgreSQL does this first and then what comes alongside): it counts the hash itself, as `hashOf` does.
 */
async function appendAtOnce(trx: Transaction<Database>, transition: Transition, alongside: readonly CompiledQuery[]) {
  const rows = await runTogether(trx, alongside, appendLink.query(trx, entryOf(transition)));
  return rows.length > 0;
}

const appendLink = prepared((db, row: Entry) => {
  const text = sql`'{"content":' || ${row.content_json}::text || ',"previous":"' || head.hash || '"}'`;
  return db
    .with("head", (query) => query.selectFrom("history_head").select("hash").forUpdate())
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
