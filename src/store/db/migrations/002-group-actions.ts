import type { Kysely } from "kysely";
import type { Database } from "../database.ts";

/** The actions that act on the resources of a saved group; null where nobody named them. */
export async function groupActions({ schema }: Kysely<Database>): Promise<void> {
  await schema.alterTable("resource_group").addColumn("actions_json", "text").execute();
}
