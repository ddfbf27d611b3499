import type { Kysely } from "kysely";
import type { NewJob } from "../../changes/job.ts";
import type { JobStore } from "../../changes/ports.ts";
import type { Database, Db } from "../db/database.ts";
import { announceCommit, transact } from "../db/transact.ts";
import { postBulletins } from "./bulletin-table.ts";
import { claimable, counted, type createClockCheck, oneInDoubt } from "./claim.ts";
import { queueMessages } from "./outbox-table.ts";

/** Longer than any job: the longest waits for one service call, which times out after a minute. */
const leaseMs = 120_000;

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
    claimJobs: async (limit) => {
      const at = now();
      await checkClock(at);
      // Read first: mostly nothing is due, and a read blocks no writer.
      const next = db
        .selectFrom("job")
        .select(["id", "next_at"])
        .orderBy("next_at")
        .orderBy("id")
        .limit(limit + 1);
      const rows = await next.execute();
      const due = rows.slice(0, limit).flatMap(({ id, next_at }) => (next_at <= at ? [id] : []));
      const nextAt = rows[due.length]?.next_at ?? Number.POSITIVE_INFINITY;
      return { taken: due.length === 0 ? [] : await claim(db, at, limit), nextAt };
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
async function claim(db: Db, at: number, limit: number) {
  const first = db.selectFrom("job").select("id").where("next_at", "<=", at);
  const rows = await db
    .updateTable("job")
    .set({ next_at: at + leaseMs, ...counted(1) })
    .where(claimable(db, first.orderBy("next_at").orderBy("id").limit(limit)))
    .returningAll()
    .execute();
  const jobs = rows.map(({ id, kind, subject_id: subjectId, due_at: dueAt, attempts, tries }) => {
    return { id, kind, subjectId, dueAt, attempts, tries };
  });
  return oneInDoubt(
    jobs.toSorted((one, other) => one.dueAt - other.dueAt || one.id - other.id),
    (others) =>
      db
        .updateTable("job")
        .set({ next_at: at, ...counted(-1) })
        .where("id", "in", others)
        .execute(),
  );
}
