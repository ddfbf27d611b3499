import { type Kysely, sql } from "kysely";
import type { Database } from "../database.ts";

/** The service compares ids without regard to case. */
export async function idKeys(db: Kysely<Database>): Promise<void> {
  await sql`create index entity_by_id_key on entity (lower(id), kind)`.execute(db);
  await sql`create index change_by_subject_key on change (subject_kind, lower(subject_id))`.execute(db);
}
