import type { Kysely } from "kysely";
import type { Database } from "../database.ts";

/** How the outcome of a change became known that had been unknown; null for all others. */
export async function verified({ schema }: Kysely<Database>): Promise<void> {
  await schema.alterTable("change").addColumn("verified_json", "text").execute();
}
