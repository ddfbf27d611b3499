import { type Db, isPostgres } from "../db/database.ts";
import { bossOverdueSince } from "./postgres-jobs.ts";

/** The work that waits, for metrics. */
export interface Backlog {
  readonly announcements: number;
  /** When the oldest of them was queued, in epoch ms. */
  readonly oldestAnnouncementAt: number | undefined;
  readonly approvals: number;
  /** When the most overdue job was due, in epoch ms. A job that a worker has is not overdue. */
  readonly overdueSince: number | undefined;
}

export async function readBacklog(db: Db, now: number): Promise<Backlog> {
  const [announcements, approvals, overdueSince] = await Promise.all([
    db
      .selectFrom("outbox")
      .select(({ fn }) => [fn.countAll<number>().as("count"), fn.min("queued_at").as("oldest")])
      .where("state", "=", "pending")
      .executeTakeFirstOrThrow(),
    db
      .selectFrom("change")
      .select(({ fn }) => fn.countAll<number>().as("count"))
      .where("state", "=", "awaiting-approval")
      // Makes the partial index apply.
      .where("settled_at", "is", null)
      .executeTakeFirstOrThrow(),
    isPostgres(db) ? bossOverdueSince(db) : overdueInTable(db, now),
  ]);
  return {
    announcements: announcements.count,
    oldestAnnouncementAt: announcements.oldest ?? undefined,
    approvals: approvals.count,
    overdueSince,
  };
}

async function overdueInTable(db: Db, now: number): Promise<number | undefined> {
  const { oldest } = await db
    .selectFrom("job")
    .select(({ fn }) => fn.min("due_at").as("oldest"))
    .where("next_at", "<=", now)
    .executeTakeFirstOrThrow();
  return oldest ?? undefined;
}
