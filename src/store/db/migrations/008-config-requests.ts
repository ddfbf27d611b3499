import type { Kysely } from "kysely";
import type { Database } from "../database.ts";

/** What the admins are asked about: a config that would loosen something. */
export async function configRequests({ schema }: Kysely<Database>): Promise<void> {
  await schema
    .createTable("config_request")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("posting_until", "bigint", (column) => column.notNull())
    .addColumn("posted_channel", "text")
    .addColumn("posted_ts", "text")
    .addColumn("verdict", "text")
    .addColumn("decided_by", "text")
    .execute();
}
