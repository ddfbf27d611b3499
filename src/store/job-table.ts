import type { Kysely } from "kysely";
import type { NewJob } from "../changes/ports.ts";
import type { Database } from "./database.ts";

/** Keeps what is to be done later, within the caller's transaction; a job that is kept already is left as it is. */
export async function scheduleJobs(db: Kysely<Database>, jobs: readonly NewJob[]): Promise<void> {
  if (jobs.length === 0) return;
  await db
    .insertInto("job")
    .values(jobs.map(({ kind, subjectId, dueAt }) => ({ kind, subject_id: subjectId, due_at: dueAt, attempts: 0 })))
    .onConflict((conflict) => conflict.columns(["kind", "subject_id", "due_at"]).doNothing())
    .execute();
}
