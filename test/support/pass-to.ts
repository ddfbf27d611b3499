import type { Clock } from "./clock.ts";
import { execute } from "./execute.ts";
import type { Curfew, Instance } from "./start-curfew.ts";

/** Advances time to a moment, and waits until what is due by then is done and sent. */
export async function passTo(
  curfew: Curfew,
  clock: Clock,
  moment: string,
  instances: readonly Instance[] = [curfew],
): Promise<void> {
  for (const { app } of instances) await app.idle();
  await setClock(curfew, clock, moment);
  await Promise.all(instances.map(({ app }) => app.idle()));
}

/** The same without waiting. */
export async function setClock({ database }: Curfew, clock: Clock, moment: string): Promise<void> {
  clock.advance(Date.parse(moment) - clock.now());
  // On PostgreSQL, jobs use the database's own clock.
  if (!database.startsWith("postgres")) return;
  const isDue = `(data->>'dueAt')::bigint <= ${clock.now()}`;
  await execute(database, `update curfew_jobs.job set start_after = now() where ${isDue}`);
}
