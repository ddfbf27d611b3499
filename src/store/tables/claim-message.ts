import type { ExpressionBuilder, Kysely, Selectable } from "kysely";
import type { Pace } from "../../changes/ports.ts";
import { longestNamedWaitMs } from "../../time/retry-after.ts";
import { type Database, type Db, isPostgres, type OutboxTable } from "../db/database.ts";
import { prepared } from "../db/prepared.ts";

export interface Claiming {
  readonly now: number;
  readonly leaseMs: number;
  readonly pace: Pace;
}

/**
 * One statement, so that one of all who claim at once gets it: on PostgreSQL the others pass it over, and SQLite has one writer at
 * a time. The instances' clocks are taken to agree to a fraction of a second.
 */
export function claimMessage(db: Db, { now, leaseMs, pace }: Claiming): Promise<Selectable<OutboxTable> | undefined> {
  return db
    .updateTable("outbox")
    .set((column) => ({ due_at: now + leaseMs, attempts: column("attempts", "+", 1) }))
    .where("id", "=", () =>
      claimable(db, now, pace.gapMs)
        .select("outbox.id")
        .orderBy("outbox.id")
        .limit(1)
        .$call((query) => (isPostgres(db) ? query.forUpdate("outbox").skipLocked() : query)),
    )
    .returningAll()
    .executeTakeFirst();
}

/** The clocks of the instances differ by less. A message that was told further ahead was told before the clock was set back. */
const clocksDifferMs = 5000;
/** Nothing is queued further ahead. */
const longestAheadMs = 60_000;

/** What could be claimed now: one for each recipient at most. */
export function claimable(db: Db, now: number, gapMs: number) {
  return firsts(db)
    .where((row) => isDue(row, now))
    .where((row) => row.or([row.not(isPost(row)), row.not(row.exists(messagesAfter(row, now - gapMs, now)))]));
}

/** Its time has come, or was set before the clock was set back. */
export function isDue(row: Row, now: number) {
  return row.or([
    row("outbox.due_at", "<=", now),
    row("outbox.due_at", ">", now + longestNamedWaitMs),
    row("outbox.queued_at", ">", now + longestAheadMs),
  ]);
}

/** The same for one that has been read: when it is due by the clock of now. */
export function dueByNow({ due_at, queued_at }: Pick<OutboxTable, "due_at" | "queued_at">, now: number): number {
  const isFromAhead = due_at > now + longestNamedWaitMs || queued_at > now + longestAheadMs;
  return isFromAhead ? now : due_at;
}

/** When each recipient could be told the next thing, as far as is known now. */
export type Prospects = (gapMs: number, now: number) => Promise<readonly number[]>;

/** The question is asked after every change, mostly in vain, and is always the same: so it is put into words once. */
export function createProspects(db: Db): Prospects {
  return async (gapMs, now) => {
    const rows = await prospects(db, { until: now + clocksDifferMs });
    return rows.map((row) => Math.max(dueByNow(row, now), row.told_at === null ? 0 : row.told_at + gapMs));
  };
}

const prospects = prepared((db, { until }: { readonly until: number }) =>
  firsts(db).select((row) => [
    "outbox.due_at",
    "outbox.queued_at",
    row.case().when(isPost(row)).then(lastToldAt(row, until)).end().as("told_at"),
  ]),
);

/**
 * What comes first for each recipient, and all summaries: what came later must not overtake it, and a summary comes before all else,
 * for its cards are older, and follow it. Goes from recipient to recipient by the index, so that a long queue costs nothing.
 */
function firsts(db: Kysely<Database>) {
  // A cross join is taken in the order in which it is written, at least by SQLite, which would else walk the whole queue. PostgreSQL
  // takes it as it likes, and by counts that lag behind a queue that grows: it is kept from looking for the first ones again and again.
  const once = isPostgres(db);
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
      (name) => (once ? name("first").materialized() : name("first")),
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
    .where((row) => row.or([row("outbox.kind", "=", "summary"), hasItsSummary(row)]));
}

type Row = ExpressionBuilder<Database, "outbox">;

/**
 * A statement on PostgreSQL that finds the row changed since it began looks at it anew, but at all others as they were when it
 * began: the summary that a card has got in between is not there for it. So the summary must be seen to be done with.
 */
function hasItsSummary(row: Row) {
  const done = row
    .selectFrom("outbox as summary")
    .select("summary.id")
    .whereRef("summary.id", "=", "outbox.summary_id")
    .where("summary.state", "!=", "pending");
  return row.or([row("summary_id", "is", null), row.exists(done)]);
}

/** Whether it becomes a new message. Drawing one again has a limit of its own, which is not by channel (platform.md §11.3). */
function isPost(row: Row) {
  return row.and([row("kind", "!=", "update"), row.or([row("kind", "!=", "summary"), row("posted_ts", "is", null)])]);
}

function told(row: Row) {
  return row
    .selectFrom("outbox as told")
    .whereRef("told.recipient", "=", "outbox.recipient")
    .where("told.sent_at", "is not", null);
}

function messagesAfter(row: Row, at: number, now: number) {
  return told(row)
    .select("told.id")
    .where("told.sent_at", ">", at)
    .where("told.sent_at", "<=", now + clocksDifferMs);
}

function lastToldAt(row: Row, until: number) {
  return told(row)
    .where("told.sent_at", "<=", until)
    .select((each) => each.fn.max("told.sent_at").as("at"));
}
