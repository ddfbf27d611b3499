import type { ExpressionBuilder, Selectable } from "kysely";
import type { Pace } from "../changes/ports.ts";
import { type Database, type Db, type DeliveryTable, isPostgres } from "./database.ts";

export interface Claiming {
  readonly now: number;
  readonly leaseMs: number;
  readonly pace: Pace;
}

/**
 * One statement, so that one of all who claim at once gets it: on PostgreSQL the others pass it over, and SQLite has one writer at
 * a time. The machines' clocks are taken to agree to a fraction of a second.
 */
export function claimDelivery(
  db: Db,
  { now, leaseMs, pace }: Claiming,
): Promise<Selectable<DeliveryTable> | undefined> {
  return db
    .updateTable("delivery")
    .set((column) => ({ due_at: now + leaseMs, attempts: column("attempts", "+", 1) }))
    .where("id", "=", () =>
      claimable(db, now, pace.gapMs)
        .select("id")
        .orderBy("id")
        .limit(1)
        .$call((query) => (isPostgres(db) ? query.forUpdate().skipLocked() : query)),
    )
    .returningAll()
    .executeTakeFirst();
}

/** What could be claimed now: one for each recipient at most. */
export function claimable(db: Db, now: number, gapMs: number) {
  return db
    .selectFrom("delivery")
    .where("state", "=", "pending")
    .where("due_at", "<=", now)
    .where(isFirst)
    .where((row) => row.or([row.not(isPost(row)), row.not(row.exists(toldAfter(row, now - gapMs)))]));
}

/** When there will be something to claim, as far as is known now. */
export async function nextClaimAt(db: Db, gapMs: number): Promise<number | undefined> {
  const firsts = await db
    .selectFrom("delivery")
    .select((row) => ["due_at", row.case().when(isPost(row)).then(lastToldAt(row)).end().as("told_at")])
    .where("state", "=", "pending")
    .where(isFirst)
    .execute();
  const times = firsts.map(({ due_at, told_at }) => Math.max(due_at, told_at === null ? 0 : told_at + gapMs));
  return times.length > 0 ? Math.min(...times) : undefined;
}

type Row = ExpressionBuilder<Database, "delivery">;

/** What came later must not overtake it; and a summary comes before all else, for its cards are older, and follow it. */
function isFirst(row: Row) {
  const earlier = row
    .selectFrom("delivery as earlier")
    .select("earlier.id")
    .where("earlier.state", "=", "pending")
    .whereRef("earlier.recipient", "=", "delivery.recipient")
    .whereRef("earlier.id", "<", "delivery.id");
  return row.or([row("kind", "=", "summary"), row.and([hasItsSummary(row), row.not(row.exists(earlier))])]);
}

/**
 * A statement on PostgreSQL that finds the row changed since it began looks at it anew, but at all others as they were when it
 * began: the summary that a card has got in between is not there for it. So the summary must be seen to be done with.
 */
function hasItsSummary(row: Row) {
  const done = row
    .selectFrom("delivery as summary")
    .select("summary.id")
    .whereRef("summary.id", "=", "delivery.summary_id")
    .where("summary.state", "!=", "pending");
  return row.or([row("summary_id", "is", null), row.exists(done)]);
}

/** Whether it becomes a new message. Drawing one again has a limit of its own, which is not by channel (platform.md §11.3). */
function isPost(row: Row) {
  return row.and([row("kind", "!=", "update"), row.or([row("kind", "!=", "summary"), row("posted_ts", "is", null)])]);
}

function told(row: Row) {
  return row.selectFrom("delivery as told").whereRef("told.recipient", "=", "delivery.recipient");
}

function toldAfter(row: Row, at: number) {
  return told(row).select("told.id").where("told.delivered_at", ">", at);
}

function lastToldAt(row: Row) {
  return told(row).select((each) => each.fn.max("told.delivered_at").as("at"));
}
