import type { Kysely } from "kysely";
import type { Database } from "../database.ts";

/** Requests that were recorded before they were acknowledged, until they are answered or a change takes their place. */
export async function receipts({ schema }: Kysely<Database>): Promise<void> {
  await schema
    .createTable("receipt")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("instance", "text", (column) => column.notNull())
    .addColumn("kind", "text", (column) => column.notNull())
    .addColumn("words", "text", (column) => column.notNull())
    .addColumn("said_json", "text")
    .addColumn("actor_id", "text", (column) => column.notNull())
    .addColumn("channel_id", "text")
    .addColumn("received_at", "bigint", (column) => column.notNull())
    .execute();
}
