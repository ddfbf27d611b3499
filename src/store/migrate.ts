import type { Kysely } from "kysely";
import type { Database, Db } from "./database.ts";
import { changes } from "./migrations/001-changes.ts";
import { knownAndTold } from "./migrations/002-known-and-told.ts";
import { jobsAndMachines } from "./migrations/003-jobs-and-machines.ts";

type Migration = (db: Kysely<Database>) => Promise<void>;

/** In the order they are applied. A migration that has been released is never edited. */
const migrations: readonly Migration[] = [changes, knownAndTold, jobsAndMachines];

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
  const tables = await db.introspection.getTables();
  const isMarked = tables.some(({ name }) => name === "migration");
  const found = isMarked ? await versionOf(db) : 0;
  if (found > migrations.length) throw new NewerSchemaError(found);
  if (found < migrations.length) throw new OlderSchemaError(found);
}

/** Brings the database to this version's schema, each step in a transaction of its own. Refuses a newer one. */
export async function migrate(db: Db): Promise<void> {
  await db.schema
    .createTable("migration")
    .ifNotExists()
    .addColumn("version", "integer", (column) => column.primaryKey())
    .execute();
  for (const [index, apply] of migrations.entries()) {
    await db.transaction().execute(async (trx) => {
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

const versionsIn = (db: Kysely<Database>) => db.withTables<{ migration: { version: number } }>();

async function versionOf(db: Kysely<Database>): Promise<number> {
  const query = versionsIn(db).selectFrom("migration").select("version").orderBy("version", "desc");
  return (await query.executeTakeFirst())?.version ?? 0;
}
