import type { Kysely } from "kysely";
import type { Database } from "../database.ts";

/** Who was notified of a change of their account. */
export async function notices({ schema }: Kysely<Database>): Promise<void> {
  await schema
    .createTable("notice")
    .addColumn("change_id", "text", (column) => column.notNull().references("change.id"))
    .addColumn("user_id", "text", (column) => column.notNull())
    .addColumn("name", "text", (column) => column.notNull())
    .addColumn("about", "text", (column) => column.notNull())
    .addColumn("is_owner", "integer", (column) => column.notNull())
    .addColumn("at", "bigint", (column) => column.notNull())
    .addPrimaryKeyConstraint("notice_key", ["change_id", "user_id", "about"])
    .execute();
}
