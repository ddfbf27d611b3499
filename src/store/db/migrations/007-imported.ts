import type { Kysely } from "kysely";
import type { Database } from "../database.ts";

/** What the last import said about an entity; null where none named it. */
export async function imported({ schema }: Kysely<Database>): Promise<void> {
  await schema.alterTable("entity").addColumn("imported_json", "text").execute();
}
