import { type Kysely, sql, type Transaction } from "kysely";
import { type Database, type Db, isPostgres } from "./database.ts";
import { isMigratable, lastOfDevelopment, newest, runMigrations } from "./migrations.ts";

/** "Older": a start brings the database to this version's schema. */
class SchemaError extends Error {
  readonly code: "OlderSchema" | "NewerSchema" | "OtherSchema";
  constructor(code: SchemaError["code"], found: string, next: string) {
    super(`${found} Nothing was changed: ${next}.`);
    this.name = `${code}Error`;
    this.code = code;
  }
}

/** Throws unless the database has exactly this version's schema. Changes nothing. */
export async function requireSchema(db: Db): Promise<void> {
  const problem = problemWith(await schemaOf(db));
  if (problem) throw problem;
}

/**
 * Brings the database to this version's schema, in one transaction, or refuses it. Instances that start together migrate one after
 * the other; when nothing is to be done, none waits. So an older Curfew that starts just before a newer one has migrated still
 * finds its own version, and runs. `verify`: checks the history of a database from before the first release.
 */
export async function migrate(db: Db, verify: (trx: Kysely<Database>) => Promise<void>): Promise<void> {
  if ((await schemaOf(db)) === newest) return;
  await exclusively(db, async (trx) => {
    const found = await schemaOf(trx);
    const problem = problemWith(found);
    if (problem === undefined) return;
    if (problem.code !== "OlderSchema" || found === "foreign") throw problem;
    await runMigrations(trx, found);
    if (found === lastOfDevelopment) await verify(trx);
  });
}

/** The version's number. `foreign`: the tables are another program's. */
type Schema = number | "empty" | "foreign";

function problemWith(found: Schema): SchemaError | undefined {
  if (found === newest) return undefined;
  if (found === "empty") return new SchemaError("OlderSchema", "The database is empty.", "start Curfew on it once");
  if (found === "foreign")
    return new SchemaError(
      "OtherSchema",
      "The database has another program's tables.",
      "name Curfew's database, or an empty one",
    );
  const says = `The database has schema version ${found}`;
  if (found > newest)
    return new SchemaError(
      "NewerSchema",
      `${says}, but this version of Curfew supports only ${newest}.`,
      "start the newer Curfew, or restore the backup from before the upgrade",
    );
  return isMigratable(found)
    ? new SchemaError(
        "OlderSchema",
        `${says}, but this version of Curfew needs ${newest}.`,
        "start Curfew on it once to migrate it",
      )
    : new SchemaError(
        "OtherSchema",
        `${says} of a Curfew from before 1.0.`,
        "start the last Curfew before 1.0 on it first, or name an empty database",
      );
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

async function schemaOf(db: Kysely<Database>): Promise<Schema> {
  // PostgreSQL: only where Curfew's tables would be created. Other schemas may be other applications'.
  const tables = isPostgres(db)
    ? sql<{ name: string }>`select tablename as name from pg_tables where schemaname = current_schema()`
    : sql<{ name: string }>`select name from sqlite_master where type = 'table'`;
  const names = (await tables.execute(db)).rows.map(({ name }) => name);
  if (names.length === 0) return "empty";
  if (!names.includes("migration") || !names.includes("history_head")) return "foreign";
  const { rows } = await sql<{ version: number | null }>`select max(version) as version from migration`.execute(db);
  return rows[0]?.version ?? "foreign";
}
