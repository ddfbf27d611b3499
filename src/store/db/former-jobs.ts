import { sql } from "kysely";
import type { Db } from "./database.ts";

/**
 * Earlier versions kept the jobs of PostgreSQL in pg-boss. Moves those that wait, or whose worker is gone, to the job table. At each
 * start, since an older instance may still schedule some while it is replaced.
 */
export async function takeOverFormerJobs(db: Db): Promise<void> {
  const { rows } = await sql`select 1 where to_regclass('curfew_jobs.job') is not null`.execute(db);
  if (rows.length === 0) return;
  await sql`
    with moved as (
      delete from curfew_jobs.job
      where name = 'later' and (state < 'active' or (state = 'active' and started_on + expire_in < now()))
      returning data, start_after
    )
    insert into job (kind, subject_id, due_at, next_at, attempts)
    select data->>'kind', data->>'subjectId', (data->>'dueAt')::bigint,
      (extract(epoch from start_after) * 1000)::bigint, (data->>'attempts')::integer
    from moved on conflict do nothing`.execute(db);
}
