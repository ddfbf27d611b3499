import { type ExpressionBuilder, type Selectable, sql } from "kysely";
import type { Pace } from "../../changes/outbox-message.ts";
import { maxRetryAfterMs } from "../../time/retry-after.ts";
import { type Database, type Db, isPostgres, type OutboxTable } from "../db/database.ts";

export interface Claiming {
  readonly now: number;
  readonly leaseMs: number;
  readonly pace: Pace;
}

type Message = Selectable<OutboxTable>;

/** The first message of a recipient, or a summary, and when it can be claimed. */
export interface FirstMessage extends Message {
  readonly at: number;
}

/** Above any difference between the instances' clocks. A message sent further ahead was sent before the clock was set back. */
const clockToleranceMs = 5000;
/** Nothing is ever queued further ahead. */
const maxAheadMs = 60_000;

/**
 * The first message of each recipient, and all summaries: later messages must not overtake; a summary goes before all else, since
 * its cards are older and follow it. At most one can be claimed for each recipient. An update waits until its card was not updated
 * for a while.
 */
export async function firstMessages(db: Db, gapMs: number, now: number): Promise<readonly FirstMessage[]> {
  const until = now + clockToleranceMs;
  const rows = await db
    .selectFrom("outbox")
    .selectAll()
    .select((row) => [
      row
        .case()
        .when(isPost(row))
        .then(lastSentAt(row, until))
        .when("kind", "=", "update")
        .then(lastUpdateAt(row, until))
        .end()
        .as("last_sent_at"),
    ])
    .where("id", "in", firstIds)
    .orderBy("id")
    .execute();
  const summaries = new Set(rows.flatMap(({ id, kind }) => (kind === "summary" ? [id] : [])));
  return rows
    .filter(({ summary_id }) => summary_id === null || !summaries.has(summary_id))
    .map(({ last_sent_at: last, ...row }) => ({
      ...row,
      at: Math.max(dueByNow(row, now), last === null ? 0 : last + gapMs),
    }));
}

/** The due time by the present clock: what was queued before the clock was set back is due now. */
export function dueByNow({ due_at, queued_at }: Pick<OutboxTable, "due_at" | "queued_at">, now: number): number {
  const isFromAhead = due_at > now + maxRetryAfterMs || queued_at > now + maxAheadMs;
  return isFromAhead ? now : due_at;
}

/**
 * Claims the first of the messages that are still as they were read, so exactly one of several concurrent claims gets each. PostgreSQL
 * skips what another claims at the moment. The instances' clocks must agree to a fraction of a second.
 */
export async function claimMessages(
  db: Db,
  messages: readonly FirstMessage[],
  { now, leaseMs }: Claiming,
  limit: number,
): Promise<readonly Message[]> {
  const unchanged = db
    .selectFrom("outbox")
    .select("id")
    .where("state", "=", "pending")
    .where((row) =>
      row.or(
        messages
          .slice(0, maxCompared)
          .map(({ id, due_at, summary_id }) =>
            row.and([
              row("id", "=", id),
              row("due_at", "=", due_at),
              row("summary_id", summary_id === null ? "is" : "=", summary_id),
            ]),
          ),
      ),
    )
    .orderBy("id")
    .limit(limit)
    .$if(isPostgres(db), (query) => query.forUpdate().skipLocked());
  const claimed = await db
    .updateTable("outbox")
    .set((column) => ({
      due_at: now + leaseMs,
      attempts: column("attempts", "+", 1),
      tries: column("tries", "+", 1),
    }))
    // PostgreSQL may run a subquery of `in` more than once, and an array's only once.
    .where((row) =>
      isPostgres(db) ? row("id", "=", sql<number>`any(array(${unchanged}))`) : row("id", "in", unchanged),
    )
    .returningAll()
    .execute();
  return claimed.toSorted((one, other) => one.id - other.id);
}

/** More than one claim takes, so that concurrent claims find something. */
const maxCompared = 100;

type Row = ExpressionBuilder<Database, "outbox">;

/** From the indexes alone: many messages may wait. */
function firstIds(row: Row) {
  const pending = () => row.selectFrom("outbox as first").where("first.state", "=", "pending");
  return pending()
    .select((first) => first.fn.min("first.id").as("id"))
    .groupBy("first.recipient")
    .unionAll(pending().select("first.id").where("first.kind", "=", "summary"));
}

/** Whether it posts a new message. Updates have another rate limit, not per channel (PLATFORM.md §11.3). */
function isPost(row: Row) {
  return row.and([row("kind", "!=", "update"), row.or([row("kind", "!=", "summary"), row("posted_ts", "is", null)])]);
}

const lastSentAt = (row: Row, until: number) =>
  earlier(row)
    .where("earlier.sent_at", "<=", until)
    .select((each) => each.fn.max("earlier.sent_at").as("at"));

/** Of the same card. The `due_at` of a sent update says when. */
const lastUpdateAt = (row: Row, until: number) =>
  earlier(row)
    .whereRef("earlier.change_id", "=", "outbox.change_id")
    .where("earlier.kind", "=", "update")
    .where("earlier.state", "=", "sent")
    .where("earlier.due_at", "<=", until)
    .select((each) => each.fn.max("earlier.due_at").as("at"));

const earlier = (row: Row) =>
  row.selectFrom("outbox as earlier").whereRef("earlier.recipient", "=", "outbox.recipient");
