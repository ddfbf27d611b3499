import type { Db } from "../db/database.ts";

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
  const [announcements, approvals, jobs] = await Promise.all([
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
    db
      .selectFrom("job")
      .select(({ fn }) => fn.min("due_at").as("oldest"))
      .where("next_at", "<=", now)
      .executeTakeFirstOrThrow(),
  ]);
  return {
    announcements: announcements.count,
    oldestAnnouncementAt: announcements.oldest ?? undefined,
    approvals: approvals.count,
    overdueSince: jobs.oldest ?? undefined,
  };
}
