import type { Kysely } from "kysely";
import type { Database } from "../database.ts";

/** The step of a workflow that waits for a change. */
export async function workflowSteps({ schema }: Kysely<Database>): Promise<void> {
  await schema.alterTable("change").addColumn("execution_id", "text").execute();
}
