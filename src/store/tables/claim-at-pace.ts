import { type ExpressionBuilder, type Kysely, type Selectable, sql } from "kysely";
import type { Pace } from "../../changes/outbox-message.ts";
import { maxRetryAfterMs } from "../../time/retry-after.ts";
import { type Database, type Db, isPostgres, type OutboxTable } from "../db/database.ts";
import type { NextTime } from "./waiting.ts";

export interface Claiming {
  readonly now: number;
  readonly leaseMs: number;
  readonly pace: Pace;
}

/**
 * One statement, so that exactly one of several concurrent claims gets a message: PostgreSQL skips locked rows, SQLite has one
 * writer. The instances' clocks must agree to a fraction of a second.
 */
export function claimAtPace(
  db: Db,
  { now, leaseMs, pace }: Claiming,
  limit: number,
): Promise<readonly Selectable<OutboxTable>[]> {
  const ids = claimable(db, now, pace.gapMs)
    .select("outbox.id")
    .orderBy("outbox.id")
    .limit(limit)
    .$call((query) => (isPostgres(db) ? query.forUpdate("outbox").skipLocked() : query));
  return (
    db
      .updateTable("outbox")
      .set((column) => ({
        due_at: now + leaseMs,
        attempts: column("attempts", "+", 1),
        tries: column("tries", "+", 1),
      }))
      // PostgreSQL may run a subquery of `in` more than once, and an array's only once.
      .where((row) => (isPostgres(db) ? row("id", "=", sql<number>`any(array(${ids}))`) : row("id", "in", () => ids)))
      .returningAll()
      .execute()
  );
}

/** Above any difference between the instances' clocks. A message sent further ahead was sent before the clock was set back. */
const clockToleranceMs = 5000;
/** Nothing is ever queued further ahead. */
const maxAheadMs = 60_000;

/** The messages that can be claimed now: at most one per recipient. An update waits until its card was not updated for a while. */
export function claimable(db: Db, now: number, gapMs: number) {
  return firsts(db)
    .where((row) => isDue(row, now))
    .where((row) => row.or([row.not(isPost(row)), row.not(row.exists(messagesAfter(row, now - gapMs, now)))]))
    .where((row) =>
      row.or([row("outbox.kind", "!=", "update"), row.not(row.exists(updatesAfter(row, now - gapMs, now)))]),
    );
}

/** Due, or queued before the clock was set back. */
export function isDue(row: Row, now: number) {
  return row.or([
    row("outbox.due_at", "<=", now),
    row("outbox.due_at", ">", now + maxRetryAfterMs),
    row("outbox.queued_at", ">", now + maxAheadMs),
  ]);
}

/** The same for a row in memory: its due time by the present clock. */
export function dueByNow({ due_at, queued_at }: Pick<OutboxTable, "due_at" | "queued_at">, now: number): number {
  const isFromAhead = due_at > now + maxRetryAfterMs || queued_at > now + maxAheadMs;
  return isFromAhead ? now : due_at;
}

/** When each recipient's next message can be sent. */
export async function nextTimes(db: Db, gapMs: number, now: number): Promise<readonly NextTime[]> {
  const until = now + clockToleranceMs;
  const rows = await firsts(db)
    .select((row) => [
      "outbox.due_at",
      "outbox.queued_at",
      "outbox.recipient",
      row
        .case()
        .when(isPost(row))
        .then(lastSentAt(row, until))
        .when("outbox.kind", "=", "update")
        .then(lastUpdateAt(row, until))
        .end()
        .as("last_sent_at"),
    ])
    .execute();
  return rows.map((row) => ({
    recipient: row.recipient,
    at: Math.max(dueByNow(row, now), row.last_sent_at === null ? 0 : row.last_sent_at + gapMs),
  }));
}

/**
 * The first message of each recipient, and all summaries. Later messages must not overtake; a summary goes before all else, since
 * its cards are older and follow it. Walks the index from recipient to recipient, so a long queue costs nothing.
 */
function firsts(db: Kysely<Database>) {
  // SQLite runs a cross join in the written order; any other join would walk the whole queue. PostgreSQL plans freely, with
  // statistics that lag behind a growing queue: `materialized` keeps it from computing `first` repeatedly.
  const isMaterialized = isPostgres(db);
  return db
    .withRecursive("waiting", (query) =>
      query
        .selectFrom("outbox")
        .select((row) => row.fn.min<string | null>("recipient").as("recipient"))
        .where("state", "=", "pending")
        .unionAll(
          query
            .selectFrom("waiting")
            .where("waiting.recipient", "is not", null)
            .select((row) =>
              row
                .selectFrom("outbox")
                .select((next) => next.fn.min<string | null>("outbox.recipient").as("recipient"))
                .where("outbox.state", "=", "pending")
                .whereRef("outbox.recipient", ">", "waiting.recipient")
                .as("recipient"),
            ),
        ),
    )
    .with(
      (name) => (isMaterialized ? name("first").materialized() : name("first")),
      (query) =>
        query
          .selectFrom("waiting")
          .where("waiting.recipient", "is not", null)
          .select((row) =>
            row
              .selectFrom("outbox")
              .select((first) => first.fn.min("outbox.id").as("id"))
              .where("outbox.state", "=", "pending")
              .whereRef("outbox.recipient", "=", "waiting.recipient")
              .as("id"),
          )
          .unionAll(
            query.selectFrom("outbox").where("state", "=", "pending").where("kind", "=", "summary").select("id"),
          ),
    )
    .selectFrom("first")
    .crossJoin("outbox")
    .whereRef("outbox.id", "=", "first.id")
    .where("outbox.state", "=", "pending")
    .where((row) => row.or([row("outbox.kind", "=", "summary"), isSummarySent(row)]));
}

type Row = ExpressionBuilder<Database, "outbox">;

/**
 * PostgreSQL rechecks a row that changed after the statement began, but sees all other rows as of its start: a summary created
 * in between is invisible. So the summary must be seen as no longer pending.
 */
function isSummarySent(row: Row) {
  const done = row
    .selectFrom("outbox as summary")
    .select("summary.id")
    .whereRef("summary.id", "=", "outbox.summary_id")
    .where("summary.state", "!=", "pending");
  return row.or([row("summary_id", "is", null), row.exists(done)]);
}

/** Whether it posts a new message. Updates have another rate limit, not per channel (PLATFORM.md §11.3). */
function isPost(row: Row) {
  return row.and([row("kind", "!=", "update"), row.or([row("kind", "!=", "summary"), row("posted_ts", "is", null)])]);
}

function sentMessages(row: Row) {
  return row
    .selectFrom("outbox as earlier")
    .whereRef("earlier.recipient", "=", "outbox.recipient")
    .where("earlier.sent_at", "is not", null);
}

function messagesAfter(row: Row, at: number, now: number) {
  return sentMessages(row)
    .select("earlier.id")
    .where("earlier.sent_at", ">", at)
    .where("earlier.sent_at", "<=", now + clockToleranceMs);
}

/** The updates of the same card that were sent. Their `due_at` says when. */
function sentUpdates(row: Row) {
  return row
    .selectFrom("outbox as earlier")
    .whereRef("earlier.change_id", "=", "outbox.change_id")
    .whereRef("earlier.recipient", "=", "outbox.recipient")
    .where("earlier.kind", "=", "update")
    .where("earlier.state", "=", "sent");
}

function updatesAfter(row: Row, at: number, now: number) {
  return sentUpdates(row)
    .select("earlier.id")
    .where("earlier.due_at", ">", at)
    .where("earlier.due_at", "<=", now + clockToleranceMs);
}

function lastUpdateAt(row: Row, until: number) {
  return sentUpdates(row)
    .where("earlier.due_at", "<=", until)
    .select((each) => each.fn.max("earlier.due_at").as("at"));
}

function lastSentAt(row: Row, until: number) {
  return sentMessages(row)
    .where("earlier.sent_at", "<=", until)
    .select((each) => each.fn.max("earlier.sent_at").as("at"));
}
