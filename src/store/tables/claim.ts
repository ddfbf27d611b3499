import { type RawBuilder, type SelectQueryBuilder, sql } from "kysely";
import type { JobKind } from "../../changes/job.ts";
import { type Database, type Db, isPostgres } from "../db/database.ts";

/*
 * How work is claimed, the same in each table of work: the time when a row is due moves to the end of a lease, so nobody else claims it until
 * then. `attempts` are all claims, `tries` those since it was last put off: more than one if an instance was lost over it.
 */

type Table = "job" | "outbox";

/** One more claim. */
export const counted = { attempts: sql<number>`attempts + 1`, tries: sql<number>`tries + 1` };

/** The chosen rows, without those that others are claiming at the moment. PostgreSQL may run a subquery of `in` more than once, and an array's only once. */
export function claimable<T extends Table>(
  db: Db,
  chosen: SelectQueryBuilder<Database, T, { id: number }>,
): RawBuilder<boolean> {
  return isPostgres(db) ? sql`id = any(array(${chosen.forUpdate().skipLocked()}))` : sql`id in (${chosen})`;
}

const minStepMs = 1000;
/** Longer than any lease, backoff, and retry pause of an approved change. */
const maxPauseMs = 15 * 60_000;
/** No message is ever queued further ahead. */
const maxAheadMs = 60_000;

/** To call before a claim. If the clock was set back, ends the leases and pauses that lie too far ahead. Due times stay. */
export function createClockCheck(db: Db, elapsedMs: () => number) {
  let ahead = Number.POSITIVE_INFINITY;
  return async (now: number): Promise<void> => {
    const found = now - elapsedMs();
    // Also on the first call: the clock may have been set while Curfew was down.
    if (found < ahead - minStepMs) await endLeasesAhead(db, now);
    // Only now: an update that failed is repeated before the next claim.
    ahead = found;
  };
}

async function endLeasesAhead(db: Db, now: number): Promise<void> {
  await db
    .updateTable("job")
    .set({ next_at: now })
    .where("next_at", ">", now + maxPauseMs)
    .where((row) => row.or([row("attempts", ">", 0), row("kind", "=", "approved-change" satisfies JobKind)]))
    .execute();
  await db
    .updateTable("outbox")
    .set({ due_at: now })
    .where("state", "=", "pending")
    .where((row) => row.or([row("due_at", ">", now + maxPauseMs), row("queued_at", ">", now + maxAheadMs)]))
    .execute();
}
