import { type Kysely, sql, type Transaction } from "kysely";
import { type Database, type Db, isPostgres } from "./database.ts";
import { migrations, runMigration } from "./migrations.ts";

export class NewerSchemaError extends Error {
  readonly code = "NewerSchema";
  constructor(found: number) {
    super(
      `The database has schema version ${found}, but this version of Curfew supports only ${migrations.length}. Nothing was changed: start the newer Curfew, or restore the backup from before the upgrade.`,
    );
    this.name = "NewerSchemaError";
  }
}

export class OlderSchemaError extends Error {
  readonly code = "OlderSchema";
  constructor(found: number) {
    super(
      `The database has schema version ${found}, but this version of Curfew needs ${migrations.length}. Nothing was changed: start Curfew on it once to migrate it.`,
    );
    this.name = "OlderSchemaError";
  }
}

/** Throws unless the database has exactly this version's schema. Changes nothing. */
export async function requireSchema(db: Db): Promise<void> {
  const found = await foundVersion(db);
  if (found > migrations.length) throw new NewerSchemaError(found);
  if (found < migrations.length) throw new OlderSchemaError(found);
}

/**
 * Migrates the database to this version's schema, each step in its own transaction. Refuses a newer schema. Instances that start
 * together migrate one after the other; when nothing is to be done, none waits. So an older Curfew that starts just before
 * a newer one has migrated still finds its own version, and runs.
 */
export async function migrate(db: Db): Promise<void> {
  if ((await foundVersion(db)) === migrations.length) return;
  await exclusively(db, async (trx) => {
    await trx.schema
      .createTable("migration")
      .ifNotExists()
      .addColumn("version", "integer", (column) => column.primaryKey())
      .execute();
  });
  for (const [index, migration] of migrations.entries()) {
    await exclusively(db, async (trx) => {
      const current = await versionOf(trx);
      if (current > migrations.length) throw new NewerSchemaError(current);
      if (current > index) return;
      await runMigration(trx, migration);
      await withVersions(trx)
        .insertInto("migration")
        .values({ version: index + 1 })
        .execute();
    });
  }
}

/** An arbitrary number of Curfew's own, so that other applications on the same PostgreSQL database don't wait for it. */
const migrationLock = 4_287_339_115;

/** SQLite needs nothing more: every transaction begins with the write lock. */
function exclusively(db: Db, work: (trx: Transaction<Database>) => Promise<void>): Promise<void> {
  return db.transaction().execute(async (trx) => {
    if (isPostgres(trx)) {
      // A migration may take longer than the usual lock timeout.
      await sql`set local lock_timeout = 0`.execute(trx);
      await sql`select pg_advisory_xact_lock(${migrationLock})`.execute(trx);
    }
    await work(trx);
  });
}

const withVersions = (db: Kysely<Database>) => db.withTables<{ migration: { version: number } }>();

async function foundVersion(db: Db): Promise<number> {
  return (await hasVersions(db)) ? versionOf(db) : 0;
}

async function hasVersions(db: Db): Promise<boolean> {
  if (isPostgres(db)) {
    // Only in the schema where it would be created: another application may have a table of this name elsewhere.
    const table = sql`select 1 where to_regclass(quote_ident(current_schema()) || '.migration') is not null`;
    return (await table.execute(db)).rows.length > 0;
  }
  const tables = db.withTables<{ sqlite_master: { name: string } }>().selectFrom("sqlite_master");
  return (await tables.select("name").where("name", "=", "migration").executeTakeFirst()) !== undefined;
}

async function versionOf(db: Kysely<Database>): Promise<number> {
  const query = withVersions(db).selectFrom("migration").select("version").orderBy("version", "desc");
  return (await query.executeTakeFirst())?.version ?? 0;
}

/**
 * Earlier versions kept the jobs of PostgreSQL in pg-boss. Moves those that wait, or whose worker is gone, to the job table. At each
 * start, since an older instance may still schedule some while it is replaced.
 */
export async function takeOverFormerJobs(db: Db): Promise<void> {
  const { rows } = await sql`select 1 where to_regclass('curfew_jobs.job') is not null`.execute(db);
  if (rows.length === 0) return;
  await sql`
    with moved as (
      delete from curfew_jobs.job
      where name = 'later' and (state < 'active' or (state = 'active' and started_on + expire_in < now()))
      returning data, start_after
    )
    insert into job (kind, subject_id, due_at, next_at, attempts)
    select data->>'kind', data->>'subjectId', (data->>'dueAt')::bigint,
      (extract(epoch from start_after) * 1000)::bigint, (data->>'attempts')::integer
    from moved on conflict do nothing`.execute(db);
}
