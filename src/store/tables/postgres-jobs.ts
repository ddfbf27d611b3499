import { CompiledQuery, type Kysely, sql } from "kysely";
import PgBoss from "pg-boss";
import { z } from "zod";
import type { NewJob, TakenJob } from "../../changes/job.ts";
import type { JobEffects, JobStore } from "../../changes/ports.ts";
import type { Database, Db } from "../db/database.ts";
import { sentAhead } from "../db/pipelined-dialect.ts";
import { postBulletins } from "./bulletin-table.ts";
import { queueMessages } from "./outbox-table.ts";

/** pg-boss keeps its tables in a separate schema. */
const schema = "curfew_jobs";
const queue = "later";
/** pg-boss does not report when the next job is due, and any instance may have scheduled one. */
const pollMs = 5000;

/** A job is never dropped, however often an instance dies over it and however late it is. */
const keeping = { retryLimit: 2_000_000_000, retentionMinutes: 10 * 365 * 24 * 60 };

/**
 * The jobs of instances that share a PostgreSQL. pg-boss decides who takes which, by the database's clock. Only its queue
 * is used: its own workers leave promises whose rejection ends the process, and take jobs in the order of creation.
 * Finished jobs are deleted, so nothing needs archiving.
 */
export async function openPostgresJobs(db: Db, now: () => number, leaseMs: number): Promise<JobStore> {
  await prepare(db, leaseMs);
  const boss = bossOn(onOneConnection(db));
  return {
    schedule: (jobs) => sendJobs(db, jobs),
    takeJob: async () => {
      const job = await fetchJob(db);
      if (job) return job;
      // Releases jobs whose lease has expired.
      await boss.expire();
      return fetchJob(db);
    },
    finishJob: (job, { outbox = [], jobs = [], bulletins = [] }: JobEffects) =>
      db.transaction().execute(async (trx) => {
        if (!(await remove(trx, job))) return false;
        await queueMessages(trx, outbox, Math.max(now(), job.dueAt));
        await postBulletins(trx, bulletins, Math.max(now(), job.dueAt));
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

/** An arbitrary number of Curfew's own. */
const preparationLock = 4_287_339_116;

/** Creates or migrates pg-boss's tables and the queue. The lock is ours: pg-boss fails when instances start together on an empty database. */
async function prepare(db: Db, leaseMs: number): Promise<void> {
  // Policy `short`: a waiting job that is scheduled again is kept once.
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

/** Schedules jobs in the caller's transaction. A job that already waits stays as it is. */
export async function sendJobs(db: Kysely<Database>, jobs: readonly NewJob[]): Promise<void> {
  if (jobs.length === 0) return;
  const rows = jobs.map((job) => ({ ...rowOf(job, 0), startAfter: new Date(job.dueAt).toISOString() }));
  // Nobody needs the ids of the jobs, so their statement travels with the transaction's next one.
  const executeSql = async (text: string, values: readonly unknown[] = []) => {
    const query = statement(text, values);
    await db.executeQuery(db.isTransaction ? sentAhead(query) : query);
    return { rows: [] };
  };
  await bossOn({ executeSql }).insert(rows);
}

/** When the most overdue job was due, in epoch ms. */
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
  // pg-boss treats a failed statement as an empty result.
  const executeSql = async (text: string, values?: unknown[]) => {
    try {
      return await statements.executeSql(text, values);
    } catch (error) {
      failures.push(error);
      throw error;
    }
  };
  const [job] = await bossOn({ executeSql }).fetch(queue, { includeMetadata: true });
  if (failures.length > 0) throw failures[0];
  if (!job) return undefined;
  const { attempts, ...rest } = content.parse(job.data);
  return { id: job.id, attempts: attempts + 1, tries: job.retryCount + 1, ...rest };
}

const outcome = z.object({ affected: z.number() });

/** False when the job was gone. */
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

/** pg-boss takes the highest priority first, so an earlier due time gets a higher one. */
function priorityAt(dueAt: number): number {
  const seconds = Math.floor((dueAt - Date.UTC(2020)) / 1000);
  return -Math.min(seconds, 2 ** 31 - 1);
}

/** Opens no connection; creating one takes microseconds. */
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

/** Some pg-boss statements open a transaction; a failed one must not stay open on a pooled connection. */
function onOneConnection(db: Db): PgBoss.Db {
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

/** Converts values as pg would, since the store accepts only plain ones. */
function asParameter(value: unknown): unknown {
  if (value === undefined) return null;
  if (Array.isArray(value)) return `{${value.join(",")}}`;
  if (typeof value === "boolean") return String(value);
  return typeof value === "object" && value !== null ? JSON.stringify(value) : value;
}
