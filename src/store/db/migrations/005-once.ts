import { type Kysely, sql } from "kysely";
import type { Database } from "../database.ts";

/** What only one change at a time may hold. Those made before hold nothing. */
export async function once({ schema }: Kysely<Database>): Promise<void> {
  await schema.alterTable("change").addColumn("once_key", "text").execute();
  await schema
    .createIndex("change_once")
    .unique()
    .on("change")
    .column("once_key")
    .where(sql`once_key`, "is not", null)
    .execute();
}
