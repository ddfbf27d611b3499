import { existsSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { type Kysely, sql, type Transaction } from "kysely";
import type { Database, Db } from "./db/database.ts";
import { requireSchema } from "./db/migrate.ts";
import { NoDatabaseError } from "./db/open-database.ts";
import { openPostgres } from "./db/open-postgres.ts";
import { holdFile, openSqliteToRead } from "./db/sqlite/open-sqlite.ts";
import { type HistoryCheck, type OnProgress, verifyHistory } from "./history/verify-history.ts";
import { openStore } from "./open-store.ts";

export class MoveError extends Error {
  readonly code = "Move";
  constructor(reason: string) {
    super(`${reason} Nothing was copied.`);
    this.name = "MoveError";
  }
}

export interface Moved {
  /** Rows per table. */
  readonly counts: Readonly<Record<string, number>>;
  /** The history check, the same in both databases. */
  readonly history: HistoryCheck;
}

/**
 * Copies a SQLite file, on which no Curfew runs, into an empty PostgreSQL database, and compares the two. One transaction,
 * so the copy is complete or absent. The file is only read.
 */
export async function moveDatabase(file: string, url: string, onProgress?: OnProgress): Promise<Moved> {
  if (!existsSync(file)) throw new NoDatabaseError(file);
  const release = await holdFile(file);
  const source = openSqliteToRead(file);
  try {
    await requireSchema(source);
    // Creates the tables, as a start of Curfew would.
    await (await openStore(url)).close();
    return await copyInto(url, source, onProgress);
  } finally {
    await source.destroy();
    release();
  }
}

async function copyInto(url: string, source: Db, onProgress?: OnProgress): Promise<Moved> {
  const target = openPostgres(url);
  try {
    return await target.transaction().execute(async (trx) => {
      await requireEmpty(trx);
      const counted = onProgress && (await countRows(source, onProgress));
      for (const table of copied) await copyTable(source, trx, table, counted);
      for (const { name, numbers } of copied) if (numbers) await continueNumbering(trx, name, numbers);
      return compare(source, trx, onProgress);
    });
  } finally {
    await target.destroy();
  }
}

interface Table {
  readonly name: keyof Database;
  /** Gives its rows a stable order. */
  readonly key: readonly string[];
  /** The identity column. */
  readonly numbers?: string;
}

/** Referenced tables come first. */
export const copied: readonly Table[] = [
  { name: "change", key: ["id"] },
  { name: "decision", key: ["change_id", "approver_id"] },
  { name: "notice", key: ["change_id", "user_id", "about"] },
  { name: "transition", key: ["sequence"] },
  { name: "history_head", key: ["id"] },
  { name: "entity", key: ["kind", "id"] },
  { name: "excluded_resource", key: ["exclusion_id", "resource_key"] },
  { name: "resource_group", key: ["name"] },
  { name: "belonging", key: ["name"] },
  { name: "own_warning", key: ["user_id", "group_name"] },
  { name: "caller_request", key: ["id"] },
  { name: "watched_action", key: ["id"] },
  { name: "bulletin", key: ["id"] },
  { name: "outbox", key: ["id"], numbers: "id" },
  { name: "job", key: ["id"], numbers: "id" },
  { name: "receipt", key: ["id"] },
  { name: "heard_message", key: ["key"] },
];

/** They belong to running instances. */
export const notCopied: readonly (keyof Database)[] = ["instance", "lock", "people_list", "config_request"];
export const copiedTables = copied.map(({ name }) => name);

/** The lock keeps a Curfew that starts there from recording anything until the transaction ends. */
async function requireEmpty(trx: Transaction<Database>): Promise<void> {
  await sql`lock table history_head in access exclusive mode`.execute(trx);
  await trx.deleteFrom("history_head").where("length", "=", 0).execute();
  for (const name of [...copiedTables, ...notCopied]) {
    if ((await countOf(trx, name)) > 0)
      throw new MoveError(`The target database is not empty: its table ${name} has rows. Name an empty one.`);
  }
}

const batchSize = 500;

/** Returns a function to call with the number of rows that were copied. */
async function countRows(source: Db, onProgress: OnProgress): Promise<(rows: number) => void> {
  let [done, total] = [0, 0];
  for (const name of copiedTables) total += await countOf(source, name);
  return (rows) => {
    done += rows;
    onProgress("Rows copied", done, total);
  };
}

async function copyTable(source: Db, trx: Transaction<Database>, table: Table, onCopied?: (rows: number) => void) {
  for await (const rows of rowsOf(source, table)) {
    const columns = Object.keys(rows[0] ?? {});
    const values = rows.map((row) => sql`(${sql.join(columns.map((column) => row[column]))})`);
    await sql`
      insert into ${sql.table(table.name)} (${sql.join(columns.map((column) => sql.ref(column)))})
      values ${sql.join(values)}`.execute(trx);
    onCopied?.(rows.length);
  }
}

export type Row = Readonly<Record<string, unknown>>;

/** All rows of a table, a batch at a time. */
export async function* rowsOf(db: Kysely<Database>, { name, key }: Table): AsyncGenerator<readonly Row[]> {
  const order = sql.join(key.map((column) => sql.ref(column)));
  for (let offset = 0; ; offset += batchSize) {
    const { rows } = await sql<Row>`
      select * from ${sql.table(name)} order by ${order} limit ${batchSize} offset ${offset}`.execute(db);
    if (rows.length === 0) return;
    yield rows;
  }
}

/** The next row continues after the last id. */
async function continueNumbering(trx: Transaction<Database>, name: string, column: string): Promise<void> {
  await sql`
    select setval(pg_get_serial_sequence(${name}, ${column}), max(${sql.ref(column)})) from ${sql.table(name)}
    having count(*) > 0`.execute(trx);
}

async function compare(source: Db, trx: Transaction<Database>, onProgress?: OnProgress): Promise<Moved> {
  const counts: Record<string, number> = {};
  for (const name of copiedTables) {
    const [before, after] = [await countOf(source, name), await countOf(trx, name)];
    if (before !== after) throw new MoveError(`The table ${name} has ${before} rows, but ${after} were copied.`);
    counts[name] = after;
  }
  const of =
    (place: string): OnProgress =>
    (part, done, total) =>
      onProgress?.(`${part} ${place}`, done, total);
  const before = await verifyHistory(source, undefined, of("in the file"));
  const history = await verifyHistory(trx, undefined, of("in PostgreSQL"));
  if (!isDeepStrictEqual(before, history)) throw new MoveError("The copied history differs from the original.");
  return { counts, history };
}

async function countOf(db: Kysely<Database>, name: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(name)}`.execute(db);
  return rows[0]?.count ?? 0;
}
