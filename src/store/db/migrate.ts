import { type Kysely, sql, type Transaction } from "kysely";
import { type Database, type Db, isPostgres } from "./database.ts";
import { changes } from "./migrations/001-changes.ts";
import { knownAndTold } from "./migrations/002-known-and-told.ts";
import { jobsAndMachines } from "./migrations/003-jobs-and-machines.ts";
import { answersAsItGrows } from "./migrations/004-answers-as-it-grows.ts";
import { once } from "./migrations/005-once.ts";
import { searchAsItGrows } from "./migrations/006-search-as-it-grows.ts";
import { undosOnce } from "./migrations/007-undos-once.ts";
import { configRequests } from "./migrations/008-config-requests.ts";

type Migration = (db: Kysely<Database>) => Promise<void>;

/** In the order they are applied. A migration that has been released is never edited. */
const migrations: readonly Migration[] = [
  changes,
  knownAndTold,
  jobsAndMachines,
  answersAsItGrows,
  once,
  searchAsItGrows,
  undosOnce,
  configRequests,
];

export class NewerSchemaError extends Error {
  readonly code = "NewerSchema";
  constructor(found: number) {
    super(
      `The database has schema version ${found}, and this version of Curfew knows only ${migrations.length}. Nothing was changed: start the newer Curfew, or restore the backup made before the upgrade.`,
    );
    this.name = "NewerSchemaError";
  }
}

export class OlderSchemaError extends Error {
  readonly code = "OlderSchema";
  constructor(found: number) {
    super(
      `The database has schema version ${found}, and this version of Curfew reads version ${migrations.length}. Nothing was changed: start Curfew on it once, which brings it up to date.`,
    );
    this.name = "OlderSchemaError";
  }
}

/** Refuses a database that has not exactly this version's schema, and changes nothing. */
export async function requireSchema(db: Db): Promise<void> {
  const found = await foundVersion(db);
  if (found > migrations.length) throw new NewerSchemaError(found);
  if (found < migrations.length) throw new OlderSchemaError(found);
}

/**
 * Brings the database to this version's schema, each step in a transaction of its own. Refuses a newer one. Instances that start
 * together do it one after the other, and only the first finds something to do; where nothing is to be done, none waits. So an older
 * Curfew that starts just before a newer one is done still finds its own version, and runs.
 */
export async function migrate(db: Db): Promise<void> {
  if ((await foundVersion(db)) === migrations.length) return;
  await alone(db, async (trx) => {
    await trx.schema
      .createTable("migration")
      .ifNotExists()
      .addColumn("version", "integer", (column) => column.primaryKey())
      .execute();
  });
  for (const [index, apply] of migrations.entries()) {
    await alone(db, async (trx) => {
      const current = await versionOf(trx);
      if (current > migrations.length) throw new NewerSchemaError(current);
      if (current > index) return;
      await apply(trx);
      await versionsIn(trx)
        .insertInto("migration")
        .values({ version: index + 1 })
        .execute();
    });
  }
}

/** Any number, and Curfew's own: what else runs on the same PostgreSQL database must not wait for it. */
const migrationLock = 4_287_339_115;

/** On SQLite, where every transaction begins with the lock, nothing more is needed. */
function alone(db: Db, work: (trx: Transaction<Database>) => Promise<void>): Promise<void> {
  return db.transaction().execute(async (trx) => {
    if (isPostgres(trx)) {
      // An instance that migrates may take longer than a lock is waited for otherwise.
      await sql`set local lock_timeout = 0`.execute(trx);
      await sql`select pg_advisory_xact_lock(${migrationLock})`.execute(trx);
    }
    await work(trx);
  });
}

const versionsIn = (db: Kysely<Database>) => db.withTables<{ migration: { version: number } }>();

async function foundVersion(db: Db): Promise<number> {
  return (await isMarked(db)) ? versionOf(db) : 0;
}

async function isMarked(db: Db): Promise<boolean> {
  if (isPostgres(db)) {
    // In the schema where it would be made; another application may have one of this name elsewhere.
    const mark = sql`select 1 where to_regclass(quote_ident(current_schema()) || '.migration') is not null`;
    return (await mark.execute(db)).rows.length > 0;
  }
  const tables = db.withTables<{ sqlite_master: { name: string } }>().selectFrom("sqlite_master");
  return (await tables.select("name").where("name", "=", "migration").executeTakeFirst()) !== undefined;
}

async function versionOf(db: Kysely<Database>): Promise<number> {
  const query = versionsIn(db).selectFrom("migration").select("version").orderBy("version", "desc");
  return (await query.executeTakeFirst())?.version ?? 0;
}
