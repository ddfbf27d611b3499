import type { CompiledQuery, Insertable, Kysely } from "kysely";
import type { JobKind, JobStore, NewJob, TakenJob } from "../../changes/ports.ts";
import { type Database, type Db, isPostgres, type JobTable } from "../db/database.ts";
import { prepared, run } from "../db/prepared.ts";
import { openBossJobs, prepareBossJobs } from "./boss-jobs.ts";
import { queueMessages } from "./outbox-table.ts";

/** Longer than any job takes: the longest waits for one call of the service, which gives up after a minute. */
const leaseMs = 120_000;

/** Keeps what is to be done later, within the caller's transaction; a job that is kept already is left as it is. */
export async function scheduleJobs(db: Kysely<Database>, jobs: readonly NewJob[]): Promise<void> {
  for (const query of await prepareJobs(db, jobs)) await run(db, query);
}

/** What keeps them; nothing for none. */
export async function prepareJobs(db: Kysely<Database>, jobs: readonly NewJob[]): Promise<readonly CompiledQuery[]> {
  if (jobs.length === 0) return [];
  if (isPostgres(db)) return [await prepareBossJobs(jobs)];
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

/** The jobs of one instance are in a table, those that several share on PostgreSQL in pg-boss's keeping. */
export async function openJobStore(db: Db, now: () => number, elapsedMs: () => number): Promise<JobStore> {
  return isPostgres(db) ? openBossJobs(db, now, leaseMs) : createJobTable(db, now, elapsedMs);
}

/**
 * A job that is taken cannot be taken for a while; `attempts` counts the takings, and so tells whoever took too long that it is no longer
 * theirs.
 */
function createJobTable(db: Db, now: () => number, elapsedMs: () => number): JobStore {
  let ahead = Number.POSITIVE_INFINITY;
  /** Also true at first: the clock may have been set while nothing ran. */
  const wasSetBack = () => {
    const before = ahead;
    ahead = now() - elapsedMs();
    return ahead < before - shortestStepMs;
  };
  return {
    schedule: (jobs) => scheduleJobs(db, jobs),
    takeJob: async () => {
      if (wasSetBack()) await pauseAnew(db, now());
      return takeJob(db, now());
    },
    finishJob: ({ id, attempts, dueAt }, { outbox = [], jobs = [] }) =>
      db.transaction().execute(async (trx) => {
        const removed = await trx
          .deleteFrom("job")
          .where("id", "=", Number(id))
          .where("attempts", "=", attempts)
          .returning("id")
          .executeTakeFirst();
        if (!removed) return false;
        await queueMessages(trx, outbox, Math.max(now(), dueAt));
        await scheduleJobs(trx, jobs);
        return true;
      }),
    postponeJob: async ({ id, attempts }, pauseMs) => {
      await db
        .updateTable("job")
        .set({ next_at: now() + pauseMs })
        .where("id", "=", Number(id))
        .where("attempts", "=", attempts)
        .execute();
    },
    nextJobAt: () => nextJobAt(db),
  };
}

const shortestStepMs = 1000;
/** Longer than any pause after a failure, and than what an approved change waits for before it is tried again. */
const longestPauseMs = 15 * 60_000;

/** When a job is due is left alone. What was taken, or is to be tried again, ends its pause no later than if it began now. */
async function pauseAnew(db: Db, at: number): Promise<void> {
  await db
    .updateTable("job")
    .set({ next_at: at })
    .where("next_at", ">", at + longestPauseMs)
    .where((row) => row.or([row("attempts", ">", 0), row("kind", "=", "approved-change" satisfies JobKind)]))
    .execute();
}

async function takeJob(db: Db, at: number): Promise<TakenJob | undefined> {
  // Looked for far more often than found, and a look holds up nobody who writes.
  const next = await nextJobAt(db);
  if (next === undefined || next > at) return undefined;
  const row = await db
    .updateTable("job")
    .set((column) => ({ next_at: at + leaseMs, attempts: column("attempts", "+", 1) }))
    .where("id", "=", (query) =>
      query.selectFrom("job").select("id").where("next_at", "<=", at).orderBy("next_at").orderBy("id").limit(1),
    )
    .returning(["id", "kind", "subject_id", "due_at", "attempts"])
    .executeTakeFirst();
  if (!row) return undefined;
  const { id, kind, subject_id: subjectId, due_at: dueAt, attempts } = row;
  return { id: String(id), kind, subjectId, dueAt, attempts };
}

async function nextJobAt(db: Db): Promise<number | undefined> {
  const [row] = await nextTime(db, {});
  return row?.next_at;
}

const nextTime = prepared((db) => db.selectFrom("job").select("next_at").orderBy("next_at").limit(1));
