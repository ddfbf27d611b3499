import type { ColumnDefinitionBuilder, Kysely } from "kysely";
import { type Database, isPostgres } from "../database.ts";

type Build = (column: ColumnDefinitionBuilder) => ColumnDefinitionBuilder;

/** A primary key that numbers the rows in the order in which they are added: its type, and how it is made. */
export function numbered(db: Kysely<Database>): readonly ["bigint" | "integer", Build] {
  return isPostgres(db)
    ? ["bigint", (column) => column.primaryKey().generatedByDefaultAsIdentity()]
    : ["integer", (column) => column.primaryKey().autoIncrement()];
}
