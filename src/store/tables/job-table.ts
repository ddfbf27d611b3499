import type { Kysely } from "kysely";
import type { JobKind, NewJob } from "../../changes/job.ts";
import type { JobStore } from "../../changes/ports.ts";
import { type Database, type Db, isPostgres } from "../db/database.ts";
import { afterCommit, transact } from "../db/transact.ts";
import { knownOf, NextDue } from "../known.ts";
import { postBulletins } from "./bulletin-table.ts";
import { queueMessages } from "./outbox-table.ts";

/** Longer than any job: the longest waits for one service call, which times out after a minute. */
const leaseMs = 120_000;

/** How often to look for jobs that other instances scheduled. */
const pollMs = 5000;

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
  afterCommit(db, () => knownOf(db)?.nextJob.note(Math.min(...rows.map(({ next_at }) => next_at))));
}

/** A taken job has a lease. `attempts` counts the takings, so a worker that took too long finds that the job is no longer its own. */
export function createJobStore(db: Db, now: () => number, elapsedMs: () => number): JobStore {
  let ahead = Number.POSITIVE_INFINITY;
  /** Also true on the first call: the clock may have been set while Curfew was down. */
  const wasSetBack = () => {
    const before = ahead;
    ahead = now() - elapsedMs();
    return ahead < before - minStepMs;
  };
  const read = async () => {
    const next = db.selectFrom("job").select("next_at").orderBy("next_at").limit(1);
    return (await next.executeTakeFirst())?.next_at ?? Number.POSITIVE_INFINITY;
  };
  const nextTime = () => NextDue.of(knownOf(db)?.nextJob, now(), read);
  return {
    schedule: (jobs) => scheduleJobs(db, jobs),
    takeJob: async () => {
      const at = now();
      if (wasSetBack()) {
        await capPauses(db, at);
        knownOf(db)?.nextJob.forget();
      }
      // Read first: mostly nothing is due, and a read blocks no writer.
      if ((await nextTime()) > at) return undefined;
      const taken = await takeJob(db, at);
      knownOf(db)?.nextJob.forget();
      return taken;
    },
    finishJob: ({ id, attempts, dueAt }, { outbox = [], jobs = [], bulletins = [] }) =>
      transact(db, async (trx) => {
        const removed = await trx
          .deleteFrom("job")
          .where("id", "=", Number(id))
          .where("attempts", "=", attempts)
          .returning("id")
          .executeTakeFirst();
        afterCommit(trx, () => knownOf(trx)?.nextJob.forget());
        if (!removed) return false;
        await queueMessages(trx, outbox, Math.max(now(), dueAt));
        await postBulletins(trx, bulletins, Math.max(now(), dueAt));
        await scheduleJobs(trx, jobs);
        return true;
      }),
    postponeJob: async ({ id, attempts }, pauseMs) => {
      await db
        .updateTable("job")
        .set({ next_at: now() + pauseMs, tries: 0 })
        .where("id", "=", Number(id))
        .where("attempts", "=", attempts)
        .execute();
      knownOf(db)?.nextJob.forget();
    },
    nextJobAt: async () => {
      const next = Math.min(await nextTime(), isPostgres(db) ? now() + pollMs : Number.POSITIVE_INFINITY);
      return Number.isFinite(next) ? next : undefined;
    },
  };
}

const minStepMs = 1000;
/** Longer than any backoff, and than the retry pause of an approved change. */
const maxPauseMs = 15 * 60_000;

/** After the clock was set back: ends leases and pauses that lie too far ahead. Due times stay. */
async function capPauses(db: Db, at: number): Promise<void> {
  await db
    .updateTable("job")
    .set({ next_at: at })
    .where("next_at", ">", at + maxPauseMs)
    .where((row) => row.or([row("attempts", ">", 0), row("kind", "=", "approved-change" satisfies JobKind)]))
    .execute();
}

/** PostgreSQL skips what other instances are taking at the moment. */
async function takeJob(db: Db, at: number) {
  const first = db
    .selectFrom("job")
    .select("id")
    .where("next_at", "<=", at)
    .orderBy("next_at")
    .orderBy("id")
    .limit(1)
    .$if(isPostgres(db), (query) => query.forUpdate().skipLocked());
  const row = await db
    .updateTable("job")
    .set((column) => ({ next_at: at + leaseMs, attempts: column("attempts", "+", 1), tries: column("tries", "+", 1) }))
    .where("id", "=", first)
    .returning(["id", "kind", "subject_id", "due_at", "attempts", "tries"])
    .executeTakeFirst();
  if (!row) return undefined;
  const { id, kind, subject_id: subjectId, due_at: dueAt, attempts, tries } = row;
  return { id: String(id), kind, subjectId, dueAt, attempts, tries };
}
