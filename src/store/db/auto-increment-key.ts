import type { ColumnDefinitionBuilder, Kysely } from "kysely";
import { type Database, isPostgres } from "./database.ts";

type Build = (column: ColumnDefinitionBuilder) => ColumnDefinitionBuilder;

/** An auto-incrementing primary key: its column type and definition. */
export function autoIncrementKey(db: Kysely<Database>): readonly ["bigint" | "integer", Build] {
  return isPostgres(db)
    ? ["bigint", (column) => column.primaryKey().generatedByDefaultAsIdentity()]
    : ["integer", (column) => column.primaryKey().autoIncrement()];
}
