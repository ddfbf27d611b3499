import type { Kysely } from "kysely";
import type { Database } from "../database.ts";

/** How often each was begun without an end, so that one which ends the process is not begun for ever. */
export async function tries({ schema }: Kysely<Database>): Promise<void> {
  await schema
    .alterTable("receipt")
    .addColumn("tries", "integer", (column) => column.notNull().defaultTo(1))
    .execute();
  for (const table of ["job", "outbox"])
    await schema
      .alterTable(table)
      .addColumn("tries", "integer", (column) => column.notNull().defaultTo(0))
      .execute();
}
