import type { Kysely } from "kysely";
import type { JobStore, NewJob } from "../changes/ports.ts";
import { openBossJobs, sendJobs } from "./boss-jobs.ts";
import { type Database, type Db, isPostgres } from "./database.ts";
import { queueDeliveries } from "./delivery-table.ts";

/** Longer than any job takes: the longest waits for one call of the service, which gives up after a minute. */
const leaseMs = 120_000;

/** Keeps what is to be done later, within the caller's transaction; a job that is kept already is left as it is. */
export async function scheduleJobs(db: Kysely<Database>, jobs: readonly NewJob[]): Promise<void> {
  if (jobs.length === 0) return;
  if (isPostgres(db)) return sendJobs(db, jobs);
  await db
    .insertInto("job")
    .values(jobs.map(({ kind, subjectId, dueAt }) => ({ kind, subject_id: subjectId, due_at: dueAt, attempts: 0 })))
    .onConflict((conflict) => conflict.columns(["kind", "subject_id", "due_at"]).doNothing())
    .execute();
}

/** The jobs of one machine are in a table, those that several share on PostgreSQL in pg-boss's keeping. */
export async function openJobStore(db: Db, now: () => number): Promise<JobStore> {
  return isPostgres(db) ? openBossJobs(db, now, leaseMs) : createJobTable(db, now);
}

/**
 * A job is taken by locking it for a while; `attempts` counts the takings, and so tells whoever took too long that it is no longer
 * theirs.
 */
function createJobTable(db: Db, now: () => number): JobStore {
  return {
    schedule: (jobs) => scheduleJobs(db, jobs),
    takeJob: async () => {
      const at = now();
      const row = await db
        .updateTable("job")
        .set((column) => ({ locked_until: at + leaseMs, attempts: column("attempts", "+", 1) }))
        .where("id", "=", (query) =>
          query
            .selectFrom("job")
            .select("id")
            .where("due_at", "<=", at)
            .where((column) => column.or([column("locked_until", "is", null), column("locked_until", "<=", at)]))
            .orderBy("due_at")
            .orderBy("id")
            .limit(1),
        )
        .returning(["id", "kind", "subject_id", "due_at", "attempts"])
        .executeTakeFirst();
      if (!row) return undefined;
      const { id, kind, subject_id: subjectId, due_at: dueAt, attempts } = row;
      return { id: String(id), kind, subjectId, dueAt, attempts };
    },
    finishJob: ({ id, attempts }, { deliveries = [], jobs = [] }) =>
      db.transaction().execute(async (trx) => {
        const removed = await trx
          .deleteFrom("job")
          .where("id", "=", Number(id))
          .where("attempts", "=", attempts)
          .returning("id")
          .executeTakeFirst();
        if (!removed) return false;
        await queueDeliveries(trx, deliveries, now());
        await scheduleJobs(trx, jobs);
        return true;
      }),
    postponeJob: async ({ id, attempts }, pauseMs) => {
      await db
        .updateTable("job")
        .set({ locked_until: now() + pauseMs })
        .where("id", "=", Number(id))
        .where("attempts", "=", attempts)
        .execute();
    },
    nextJobAt: async () => {
      const row = await db
        .selectFrom("job")
        .select((column) =>
          column
            .case()
            .when("locked_until", ">", column.ref("due_at"))
            .then(column.ref("locked_until"))
            .else(column.ref("due_at"))
            .end()
            .as("at"),
        )
        .orderBy("at")
        .limit(1)
        .executeTakeFirst();
      return row?.at ?? undefined;
    },
  };
}
