import { existsSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { type Kysely, sql, type Transaction } from "kysely";
import { jobKinds } from "../../changes/ports.ts";
import { type HistoryCheck, verifyHistory } from "../history/verify-history.ts";
import { openStore } from "../open-store.ts";
import { scheduleJobs } from "../tables/job-table.ts";
import type { Database, Db } from "./database.ts";
import { holdFile } from "./hold-file.ts";
import { requireSchema } from "./migrate.ts";
import { NoDatabaseError } from "./open-database.ts";
import { openPostgres } from "./open-postgres.ts";
import { openSqliteToRead } from "./open-sqlite.ts";

export class MoveError extends Error {
  readonly code = "Move";
  constructor(reason: string) {
    super(`${reason} Nothing was moved.`);
    this.name = "MoveError";
  }
}

export interface Moved {
  /** How many rows each table has now. */
  readonly counts: Readonly<Record<string, number>>;
  /** What the history is found to be, in the one as in the other. */
  readonly history: HistoryCheck;
}

/**
 * Copies everything in a SQLite file, on which no Curfew runs, into an empty PostgreSQL database, and compares the two: all of it in
 * one transaction, so that the copy is whole or is not there. The file is only read.
 */
export async function moveDatabase(file: string, url: string): Promise<Moved> {
  if (!existsSync(file)) throw new NoDatabaseError(file);
  const letGo = await holdFile(file);
  const source = openSqliteToRead(file);
  try {
    await requireSchema(source);
    // As for a Curfew that is to run there.
    await (await openStore(url)).close();
    return await copyInto(url, source);
  } finally {
    await source.destroy();
    letGo();
  }
}

async function copyInto(url: string, source: Db): Promise<Moved> {
  const target = openPostgres(url);
  try {
    return await target.transaction().execute(async (trx) => {
      await requireEmpty(trx);
      for (const { name, key } of copied) await copyTable(source, trx, name, key);
      for (const { name, numbers } of copied) if (numbers) await numberOnFrom(trx, name, numbers);
      await copyJobs(source, trx);
      return compare(source, trx);
    });
  } finally {
    await target.destroy();
  }
}

interface Table {
  readonly name: keyof Database;
  /** By which its rows are read in the same order each time. */
  readonly key: readonly string[];
  /** The column that numbers its rows. */
  readonly numbers?: string;
}

/** What others refer to comes first. */
const copied: readonly Table[] = [
  { name: "change", key: ["id"] },
  { name: "decision", key: ["change_id", "approver_id"] },
  { name: "transition", key: ["sequence"], numbers: "sequence" },
  { name: "history_head", key: ["id"] },
  { name: "entity", key: ["kind", "id"] },
  { name: "excluded_resource", key: ["exclusion_id", "resource_key"] },
  { name: "resource_group", key: ["name"] },
  { name: "outbox", key: ["id"], numbers: "id" },
];

/** What goes another way, or is only of those that run. */
export const notCopied: readonly (keyof Database)[] = ["job", "instance", "lock", "config_request"];
export const copiedTables = copied.map(({ name }) => name);

/** Until the end of the transaction no Curfew that starts on it can record anything. */
async function requireEmpty(trx: Transaction<Database>): Promise<void> {
  await sql`lock table history_head in access exclusive mode`.execute(trx);
  await trx.deleteFrom("history_head").where("length", "=", 0).execute();
  for (const name of [...copiedTables, ...notCopied]) {
    if ((await countOf(trx, name)) > 0)
      throw new MoveError(`The database that was named is not empty: its table ${name} has rows. Name an empty one.`);
  }
}

const rowsAtOnce = 500;

async function copyTable(source: Db, trx: Transaction<Database>, name: string, key: readonly string[]): Promise<void> {
  const order = sql.join(key.map((column) => sql.ref(column)));
  for (let offset = 0; ; offset += rowsAtOnce) {
    const { rows } = await sql<Readonly<Record<string, unknown>>>`
      select * from ${sql.table(name)} order by ${order} limit ${rowsAtOnce} offset ${offset}`.execute(source);
    const [first] = rows;
    if (first === undefined) return;
    const columns = Object.keys(first);
    const values = rows.map((row) => sql`(${sql.join(columns.map((column) => row[column]))})`);
    await sql`
      insert into ${sql.table(name)} (${sql.join(columns.map((column) => sql.ref(column)))})
      values ${sql.join(values)}`.execute(trx);
  }
}

/** The next row takes the number behind the last. */
async function numberOnFrom(trx: Transaction<Database>, name: string, column: string): Promise<void> {
  await sql`
    select setval(pg_get_serial_sequence(${name}, ${column}), max(${sql.ref(column)})) from ${sql.table(name)}
    having count(*) > 0`.execute(trx);
}

/** PostgreSQL may keep them in another way than SQLite does. */
async function copyJobs(source: Db, trx: Transaction<Database>): Promise<void> {
  const rows = await source.selectFrom("job").selectAll().orderBy("id").execute();
  const jobs = rows.flatMap(({ kind: said, subject_id: subjectId, due_at: dueAt }) => {
    const kind = jobKinds.find((known) => known === said);
    return kind === undefined ? [] : [{ kind, subjectId, dueAt }];
  });
  await scheduleJobs(trx, jobs);
}

async function compare(source: Db, trx: Transaction<Database>): Promise<Moved> {
  const counts: Record<string, number> = {};
  for (const name of copiedTables) {
    const [before, after] = [await countOf(source, name), await countOf(trx, name)];
    if (before !== after) throw new MoveError(`The table ${name} has ${before} rows, and ${after} came through.`);
    counts[name] = after;
  }
  const [before, history] = [await verifyHistory(source), await verifyHistory(trx)];
  if (!isDeepStrictEqual(before, history)) throw new MoveError("The history came through otherwise than it was.");
  return { counts, history };
}

async function countOf(db: Kysely<Database>, name: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(name)}`.execute(db);
  return rows[0]?.count ?? 0;
}
