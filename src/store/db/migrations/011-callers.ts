import type { Kysely } from "kysely";
import type { Database } from "../database.ts";

/** The requests of pipelines, with the answers that repeats get. */
export async function callers({ schema }: Kysely<Database>): Promise<void> {
  await schema
    .createTable("caller_request")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("body_hash", "text", (column) => column.notNull())
    .addColumn("received_at", "bigint", (column) => column.notNull())
    .addColumn("answer_json", "text")
    .execute();
  await schema.createIndex("caller_request_by_time").on("caller_request").column("received_at").execute();
}
