import type { Kysely } from "kysely";
import type { Database } from "../database.ts";

/** The thread in which a change was asked for, and the messages that were answered already. */
export async function threads({ schema }: Kysely<Database>): Promise<void> {
  await schema.alterTable("change").addColumn("asked_in_json", "text").execute();
  await schema.alterTable("receipt").addColumn("asked_in_json", "text").execute();
  await schema
    .createTable("heard_message")
    .addColumn("key", "text", (column) => column.primaryKey())
    .addColumn("instance", "text", (column) => column.notNull())
    .addColumn("at", "bigint", (column) => column.notNull())
    .addColumn("is_answered", "integer", (column) => column.notNull())
    .execute();
  await schema.createIndex("heard_message_by_age").on("heard_message").column("at").execute();
}
