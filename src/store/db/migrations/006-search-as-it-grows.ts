import { type Kysely, sql } from "kysely";
import type { Database } from "../database.ts";

/** A thing's id, name and e-mail address, in one: looking through it once is quicker than thrice. */
export const searchedText = sql`(lower(id) || '\n' || coalesce(name_key, '') || '\n' || coalesce(email_key, ''))`;

/** What is searched as people type is read in the order in which it is shown, and of what does not match, the index alone. */
export async function searchAsItGrows(db: Kysely<Database>): Promise<void> {
  await db.schema
    .createIndex("entity_by_search")
    .on("entity")
    .column("kind")
    .expression(sql`coalesce(name_key, id)`)
    .column("id")
    .expression(searchedText)
    .where(sql`ended_at`, "is", null)
    .where(sql`expires_at`, "is", null)
    .execute();
}
