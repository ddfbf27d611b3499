import type { Kysely } from "kysely";
import type { Database } from "../database.ts";
import { numbered } from "./numbered.ts";

/** What is to be done later, and the instances that share the database. */
export async function jobsAndMachines(db: Kysely<Database>): Promise<void> {
  const { schema } = db;
  await createJob(db);
  await schema
    .createTable("instance")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("seen_at", "bigint", (column) => column.notNull())
    .execute();
  await schema
    .createTable("lock")
    .addColumn("key", "text", (column) => column.primaryKey())
    .addColumn("instance", "text", (column) => column.notNull())
    .addColumn("until", "bigint", (column) => column.notNull())
    .execute();
}

async function createJob(db: Kysely<Database>): Promise<void> {
  const { schema } = db;
  await schema
    .createTable("job")
    .addColumn("id", ...numbered(db))
    .addColumn("kind", "text", (column) => column.notNull())
    .addColumn("subject_id", "text", (column) => column.notNull())
    .addColumn("due_at", "bigint", (column) => column.notNull())
    .addColumn("locked_until", "bigint")
    .addColumn("attempts", "integer", (column) => column.notNull())
    .addUniqueConstraint("job_once", ["kind", "subject_id", "due_at"])
    .execute();
  await schema.createIndex("job_by_time").on("job").columns(["due_at"]).execute();
}
