import { openSqlite } from "../../src/store/open-sqlite.ts";
import type { Curfew } from "./start-curfew.ts";

/** Does what is due by now, in its order, as whoever keeps the jobs does; gives the kinds of what was done. */
export async function doDueJobs({ app, databaseFile }: Curfew, now: number): Promise<readonly string[]> {
  const db = openSqlite(databaseFile);
  try {
    const due = await db
      .selectFrom("job")
      .selectAll()
      .where("kind", "in", ["approval-reminder", "approval-expiry", "approved-change"])
      .where("due_at", "<=", now)
      .orderBy("due_at")
      .orderBy("id")
      .execute();
    for (const { id, kind, subject_id } of due) {
      if (kind === "approval-reminder" || kind === "approval-expiry" || kind === "approved-change")
        await app.onJob(kind, subject_id);
      await db.deleteFrom("job").where("id", "=", id).execute();
    }
    await app.idle();
    return due.map(({ kind }) => kind);
  } finally {
    await db.destroy();
  }
}
