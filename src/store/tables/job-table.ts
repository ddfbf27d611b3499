import type { Kysely, SelectQueryBuilder } from "kysely";
import { jobLeaseMs, type NewJob } from "../../changes/job.ts";
import type { JobStore } from "../../changes/ports.ts";
import type { Database, Db } from "../db/database.ts";
import { announceCommit, transact } from "../db/transact.ts";
import { postBulletins } from "./bulletin-table.ts";
import { claimable, counted, type createClockCheck } from "./claim-at-pace.ts";
import { queueMessages } from "./outbox-table.ts";

/** Schedules jobs in the caller's transaction. An already scheduled job stays as it is. */
export async function scheduleJobs(db: Kysely<Database>, jobs: readonly NewJob[]): Promise<void> {
  if (jobs.length === 0) return;
  const rows = jobs.map(({ kind, subjectId, dueAt }) => {
    return { kind, subject_id: subjectId, due_at: dueAt, next_at: dueAt, attempts: 0 };
  });
  await db
    .insertInto("job")
    .values(rows)
    .onConflict((conflict) => conflict.columns(["kind", "subject_id", "due_at"]).doNothing())
    .execute();
  announceCommit(db, "jobs", Math.min(...rows.map(({ next_at }) => next_at)));
}

/** `attempts` counts the claims, so a worker that took too long finds that the job is no longer its own. */
export function createJobStore(db: Db, now: () => number, checkClock: ReturnType<typeof createClockCheck>): JobStore {
  return {
    schedule: (jobs) => scheduleJobs(db, jobs),
    claimJobs: async (limit, running = []) => {
      const at = now();
      await checkClock(at);
      const next = db
        .selectFrom("job")
        .select(["id", "next_at", "tries"])
        .orderBy("next_at")
        .orderBy("id")
        .$if(running.length > 0, (query) => query.where("id", "not in", running).where("tries", "=", 0));
      // Read first: mostly nothing is due, and a read blocks no writer.
      const rows = await next.limit(limit + 1).execute();
      const due = rows.slice(0, limit).filter(({ next_at }) => next_at <= at);
      const doubtful = due.find(({ tries }) => tries > 0);
      const chosen = doubtful ? next.where("id", "=", doubtful.id) : next.where("tries", "=", 0);
      const taken = due.length === 0 ? [] : await claim(db, at, chosen.limit(limit));
      return {
        taken,
        nextAt: taken.length < due.length ? at : (rows[due.length]?.next_at ?? Number.POSITIVE_INFINITY),
      };
    },
    renewJob: async ({ id, attempts }) => {
      const own = db.updateTable("job").where("id", "=", id).where("attempts", "=", attempts);
      await own.set({ next_at: now() + jobLeaseMs }).execute();
    },
    finishJob: ({ id, attempts, dueAt }, { outbox = [], jobs = [], bulletins = [] }) =>
      transact(db, async (trx) => {
        const own = trx.deleteFrom("job").where("id", "=", id).where("attempts", "=", attempts);
        if (!(await own.returning("id").executeTakeFirst())) return false;
        await queueMessages(trx, outbox, Math.max(now(), dueAt));
        await postBulletins(trx, bulletins, Math.max(now(), dueAt));
        await scheduleJobs(trx, jobs);
        return true;
      }),
    postponeJob: async ({ id, attempts }, pauseMs) => {
      const own = db.updateTable("job").where("id", "=", id).where("attempts", "=", attempts);
      await own.set({ next_at: now() + pauseMs, tries: 0 }).execute();
    },
  };
}

/** Earliest first. */
async function claim(db: Db, at: number, chosen: SelectQueryBuilder<Database, "job", { id: number }>) {
  const rows = await db
    .updateTable("job")
    .set({ next_at: at + jobLeaseMs, ...counted })
    .where(claimable(db, chosen.where("next_at", "<=", at).clearSelect().select("id")))
    .returningAll()
    .execute();
  const jobs = rows.map(({ id, kind, subject_id: subjectId, due_at: dueAt, attempts, tries }) => {
    return { id, kind, subjectId, dueAt, attempts, tries };
  });
  return jobs.toSorted((one, other) => one.dueAt - other.dueAt || one.id - other.id);
}
