import { CompiledQuery, type Kysely, sql } from "kysely";
import PgBoss from "pg-boss";
import { z } from "zod";
import type { JobEffects, JobStore, NewJob, TakenJob } from "../../changes/ports.ts";
import type { Database, Db } from "../db/database.ts";
import { queueMessages } from "./outbox-table.ts";

/** pg-boss keeps its tables in a schema of their own. */
const schema = "curfew_jobs";
const queue = "later";
/** pg-boss does not tell when the next job is due, and any instance may have scheduled one. */
const pollMs = 5000;

/** However often a instance dies over a job, and however late it is: it is not dropped. */
const keeping = { retryLimit: 2_000_000_000, retentionMinutes: 10 * 365 * 24 * 60 };

/**
 * The jobs of several instances that share a PostgreSQL, kept by pg-boss: it decides who takes which, and by the database's own
 * clock. Only its statements are used. Its own workers leave promises behind whose failure would end the process, and ask for jobs in
 * the order they were made; and a job that is done is deleted, so that nothing need be archived.
 */
export async function openBossJobs(db: Db, now: () => number, leaseMs: number): Promise<JobStore> {
  await prepare(db, leaseMs);
  const boss = bossOn(alone(db));
  return {
    schedule: (jobs) => sendJobs(db, jobs),
    takeJob: async () => {
      const job = await fetchJob(db);
      if (job) return job;
      // Gives back what those had taken who were given their time and have not finished.
      await boss.expire();
      return fetchJob(db);
    },
    finishJob: (job, { outbox = [], jobs = [] }: JobEffects) =>
      db.transaction().execute(async (trx) => {
        if (!(await remove(trx, job))) return false;
        await queueMessages(trx, outbox, Math.max(now(), job.dueAt));
        await sendJobs(trx, jobs);
        return true;
      }),
    postponeJob: (job, pauseMs) =>
      db.transaction().execute(async (trx) => {
        if (!(await remove(trx, job))) return;
        await insert(trx, [{ ...rowOf(job, job.attempts), startAfter: String(pauseMs / 1000) }]);
      }),
    nextJobAt: async () => now() + pollMs,
  };
}

/** Any number, and Curfew's own. */
const preparationLock = 4_287_339_116;

/** Makes pg-boss's tables and the queue, or brings them up to date. It does not expect that instances start together on an empty database. */
async function prepare(db: Db, leaseMs: number): Promise<void> {
  // By this policy a job that waits and is scheduled once more is kept once.
  const options = { name: queue, policy: "short", expireInSeconds: leaseMs / 1000, ...keeping } as const;
  await db.connection().execute(async (connection) => {
    await sql`set lock_timeout = 0`.execute(connection);
    await sql`select pg_advisory_lock(${preparationLock})`.execute(connection);
    try {
      const boss = bossOn(statementsOn(connection));
      await boss.start();
      await boss.createQueue(queue, { ...options });
      await boss.updateQueue(queue, { ...options });
    } catch (error) {
      await sql`rollback`.execute(connection);
      throw error;
    } finally {
      await sql`select pg_advisory_unlock(${preparationLock})`.execute(connection);
      await sql`reset lock_timeout`.execute(connection);
    }
  });
}

/** The statement that keeps jobs; one that waits already is left as it is. */
export async function prepareBossJobs(jobs: readonly NewJob[]): Promise<CompiledQuery> {
  const rows = jobs.map((job) => ({ ...rowOf(job, 0), startAfter: new Date(job.dueAt).toISOString() }));
  const statements: CompiledQuery[] = [];
  const noted = async (text: string, values: readonly unknown[] = []) => {
    statements.push(statement(text, values));
    return { rows: [] };
  };
  await bossOn({ executeSql: noted }).insert(rows);
  // Were it to ask for something first, it would have been told that there is nothing.
  const [insertion, ...others] = statements;
  if (!insertion || others.length > 0) throw new Error("pg-boss no longer keeps jobs by one statement");
  return insertion;
}

async function sendJobs(db: Kysely<Database>, jobs: readonly NewJob[]): Promise<void> {
  if (jobs.length > 0) await db.executeQuery(await prepareBossJobs(jobs));
}

/** When the job that has been due for the longest time was due, in epoch ms. */
export async function bossOverdueSince(db: Db): Promise<number | undefined> {
  const { rows } = await sql<{ at: number | null }>`
    select cast(extract(epoch from min(start_after)) * 1000 as bigint) as at from ${sql.table(`${schema}.job`)}
    where name = ${queue} and state < 'active' and start_after < now()`.execute(db);
  return rows[0]?.at ?? undefined;
}

const content = z.object({ kind: z.string(), subjectId: z.string(), dueAt: z.number(), attempts: z.number() });

async function fetchJob(db: Db): Promise<TakenJob | undefined> {
  const statements = statementsOn(db);
  const failures: unknown[] = [];
  // pg-boss takes a statement that failed for one that found nothing.
  const executeSql = async (text: string, values?: unknown[]) => {
    try {
      return await statements.executeSql(text, values);
    } catch (error) {
      failures.push(error);
      throw error;
    }
  };
  const [job] = await bossOn({ executeSql }).fetch(queue);
  if (failures.length > 0) throw failures[0];
  if (!job) return undefined;
  const { attempts, ...rest } = content.parse(job.data);
  return { id: job.id, attempts: attempts + 1, ...rest };
}

const outcome = z.object({ affected: z.number() });

/** Whether it was still there. */
async function remove(db: Kysely<Database>, { id }: TakenJob): Promise<boolean> {
  const result: unknown = await bossOn(statementsOn(db)).deleteJob(queue, id);
  return outcome.parse(result).affected > 0;
}

async function insert(db: Kysely<Database>, rows: PgBoss.JobInsert[]): Promise<void> {
  await bossOn(statementsOn(db)).insert(rows);
}

function rowOf({ kind, subjectId, dueAt }: Pick<TakenJob, keyof NewJob>, attempts: number) {
  return {
    name: queue,
    data: { kind, subjectId, dueAt, attempts },
    priority: priorityAt(dueAt),
    singletonKey: JSON.stringify([kind, subjectId, dueAt]),
  };
}

/** Of those that are due, pg-boss takes the one of the highest priority first: the one due first has it. */
function priorityAt(dueAt: number): number {
  const seconds = Math.floor((dueAt - Date.UTC(2020)) / 1000);
  return -Math.min(seconds, 2 ** 31 - 1);
}

/** It opens nothing of its own: an instance costs some microseconds. */
function bossOn(db: PgBoss.Db): PgBoss {
  return new PgBoss({ db, schema, supervise: false, schedule: false });
}

function statementsOn(db: Kysely<Database>) {
  return {
    executeSql: async (text: string, values: readonly unknown[] = []) => {
      const { rows } = await db.executeQuery(statement(text, values));
      return { rows: [...rows] };
    },
  };
}

function statement(text: string, values: readonly unknown[]): CompiledQuery {
  return CompiledQuery.raw(text, values.map(asParameter));
}

/** Some of its statements are a transaction of their own; one that fails must not stay open on a connection that others use. */
function alone(db: Db): PgBoss.Db {
  return {
    executeSql: (text, values) =>
      db.connection().execute(async (connection) => {
        try {
          return await statementsOn(connection).executeSql(text, values);
        } catch (error) {
          await connection.executeQuery(CompiledQuery.raw("rollback"));
          throw error;
        }
      }),
  };
}

/** What pg itself would make of a value, where the store takes only plain ones. */
function asParameter(value: unknown): unknown {
  if (value === undefined) return null;
  if (Array.isArray(value)) return `{${value.join(",")}}`;
  if (typeof value === "boolean") return String(value);
  return typeof value === "object" && value !== null ? JSON.stringify(value) : value;
}
