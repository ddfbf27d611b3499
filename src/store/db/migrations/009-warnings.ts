import type { Kysely } from "kysely";
import type { Database } from "../database.ts";

/** The warnings that people want for themselves. */
export async function warnings({ schema }: Kysely<Database>): Promise<void> {
  await schema
    .createTable("own_warning")
    .addColumn("user_id", "text", (column) => column.notNull())
    .addColumn("group_name", "text", (column) => column.notNull())
    .addColumn("before_ms", "bigint", (column) => column.notNull())
    .addColumn("channel_id", "text")
    .addPrimaryKeyConstraint("own_warning_key", ["user_id", "group_name"])
    .execute();
  await schema.createIndex("bulletin_by_time").on("bulletin").columns(["kind", "at"]).execute();
}
