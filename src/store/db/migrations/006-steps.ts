import type { Kysely } from "kysely";
import type { Database } from "../database.ts";

/** The steps of a series are changes that name it. */
export async function steps({ schema }: Kysely<Database>): Promise<void> {
  await schema.alterTable("change").addColumn("parent_id", "text").execute();
  await schema.createIndex("change_parent").on("change").column("parent_id").execute();
}
