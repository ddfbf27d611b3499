import type { CompiledQuery, Insertable, Kysely } from "kysely";
import type { JobKind, NewJob, TakenJob } from "../../changes/job.ts";
import type { JobStore } from "../../changes/ports.ts";
import { type Database, type Db, isPostgres, type JobTable } from "../db/database.ts";
import { prepared, run } from "../db/prepared.ts";
import { postBulletins } from "./bulletin-table.ts";
import { queueMessages } from "./outbox-table.ts";
import { openPostgresJobs, sendJobs } from "./postgres-jobs.ts";

/** Longer than any job: the longest waits for one service call, which times out after a minute. */
const leaseMs = 120_000;

/** Schedules jobs in the caller's transaction. An already scheduled job stays as it is. */
export async function scheduleJobs(db: Kysely<Database>, jobs: readonly NewJob[]): Promise<void> {
  if (isPostgres(db)) return sendJobs(db, jobs);
  for (const query of prepareJobs(db, jobs)) await run(db, query);
}

/** SQLite: the statements that schedule jobs. */
export function prepareJobs(db: Kysely<Database>, jobs: readonly NewJob[]): readonly CompiledQuery[] {
  if (jobs.length === 0) return [];
  const rows = jobs.map(({ kind, subjectId, dueAt }) => {
    return { kind, subject_id: subjectId, due_at: dueAt, next_at: dueAt, attempts: 0 };
  });
  return [insertJobs.query(db, { rows })];
}

const insertJobs = prepared((db, { rows }: { readonly rows: readonly Insertable<JobTable>[] }) =>
  db
    .insertInto("job")
    .values(rows)
    .onConflict((conflict) => conflict.columns(["kind", "subject_id", "due_at"]).doNothing()),
);

/** On SQLite a table holds the jobs, on PostgreSQL pg-boss does. */
export async function openJobStore(db: Db, now: () => number, elapsedMs: () => number): Promise<JobStore> {
  return isPostgres(db) ? openPostgresJobs(db, now, leaseMs) : createJobTable(db, now, elapsedMs);
}

/** A taken job has a lease. `attempts` counts the takings, so a worker that took too long finds that the job is no longer its own. */
function createJobTable(db: Db, now: () => number, elapsedMs: () => number): JobStore {
  let ahead = Number.POSITIVE_INFINITY;
  /** Also true on the first call: the clock may have been set while Curfew was down. */
  const wasSetBack = () => {
    const before = ahead;
    ahead = now() - elapsedMs();
    return ahead < before - minStepMs;
  };
  return {
    schedule: (jobs) => scheduleJobs(db, jobs),
    takeJob: async () => {
      if (wasSetBack()) await capPauses(db, now());
      return takeJob(db, now());
    },
    finishJob: ({ id, attempts, dueAt }, { outbox = [], jobs = [], bulletins = [] }) =>
      db.transaction().execute(async (trx) => {
        const removed = await trx
          .deleteFrom("job")
          .where("id", "=", Number(id))
          .where("attempts", "=", attempts)
          .returning("id")
          .executeTakeFirst();
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
    },
    nextJobAt: () => nextJobAt(db),
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

async function takeJob(db: Db, at: number): Promise<TakenJob | undefined> {
  // Read first: mostly nothing is due, and a read blocks no writer.
  const next = await nextJobAt(db);
  if (next === undefined || next > at) return undefined;
  const row = await db
    .updateTable("job")
    .set((column) => ({ next_at: at + leaseMs, attempts: column("attempts", "+", 1), tries: column("tries", "+", 1) }))
    .where("id", "=", (query) =>
      query.selectFrom("job").select("id").where("next_at", "<=", at).orderBy("next_at").orderBy("id").limit(1),
    )
    .returning(["id", "kind", "subject_id", "due_at", "attempts", "tries"])
    .executeTakeFirst();
  if (!row) return undefined;
  const { id, kind, subject_id: subjectId, due_at: dueAt, attempts, tries } = row;
  return { id: String(id), kind, subjectId, dueAt, attempts, tries };
}

async function nextJobAt(db: Db): Promise<number | undefined> {
  const [row] = await nextTime(db, {});
  return row?.next_at;
}

const nextTime = prepared((db) => db.selectFrom("job").select("next_at").orderBy("next_at").limit(1));
