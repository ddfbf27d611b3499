import type { Db } from "./database.ts";
import { changes } from "./migrations/001-changes.ts";

/** In the order they are applied. A migration that has been released is never edited. */
const migrations = [changes] as const;

export class NewerSchemaError extends Error {
  readonly code = "NewerSchema";
  constructor(found: number) {
    super(
      `The database has schema version ${found}, and this version of Curfew knows only ${migrations.length}. Nothing was changed: start the newer Curfew, or restore the backup made before the upgrade.`,
    );
    this.name = "NewerSchemaError";
  }
}

/** Brings the database to this version's schema, each step in a transaction of its own. Refuses a newer one. */
export async function migrate(db: Db): Promise<void> {
  await db.schema
    .createTable("migration")
    .ifNotExists()
    .addColumn("version", "integer", (column) => column.primaryKey())
    .execute();
  const versions = db.withTables<{ migration: { version: number } }>();
  for (const [index, apply] of migrations.entries()) {
    await versions.transaction().execute(async (trx) => {
      const applied = await trx.selectFrom("migration").select("version").orderBy("version", "desc").executeTakeFirst();
      const current = applied?.version ?? 0;
      if (current > migrations.length) throw new NewerSchemaError(current);
      if (current > index) return;
      await apply(trx.schema);
      await trx
        .insertInto("migration")
        .values({ version: index + 1 })
        .execute();
    });
  }
}
