import {
  type ExpressionBuilder,
  type Kysely,
  type RawBuilder,
  type Selectable,
  type SelectQueryBuilder,
  sql,
  type Transaction,
} from "kysely";
import type { Claimed, JobKind } from "../../changes/job.ts";
import { type Pace, updateKinds } from "../../changes/outbox-message.ts";
import { type Database, type Db, isPostgres, type OutboxTable } from "../db/database.ts";
import { transact } from "../db/transact.ts";

interface Claiming {
  readonly now: number;
  readonly leaseMs: number;
  readonly pace: Pace;
  readonly limit: number;
  /** The ids of what this instance sends at the moment. */
  readonly running: readonly number[];
}

type Message = Selectable<OutboxTable>;

/** The first message of a recipient, or a summary, and when it can be claimed. */
interface FirstMessage extends Message {
  readonly at: number;
}

/** Claims what can be claimed, with bursts summarized. Of several concurrent claims, one gets each message. */
export async function claimAtPace(db: Db, claiming: Claiming): Promise<Claimed<Message>> {
  const { now, pace, running } = claiming;
  const isDue = ({ id, at }: FirstMessage) => at <= now && !running.includes(id);
  let firsts = await firstMessages(db, pace.gapMs, now);
  if (await summarizeBursts(db, firsts.filter(isDue), claiming)) firsts = await firstMessages(db, pace.gapMs, now);
  const due = firsts.filter(isDue);
  const later = firsts.flatMap(({ at }) => (at > now ? [at] : []));
  const doubtful = due.find(({ tries }) => tries > 0);
  // The worker looks again when one is sent. Nothing else is begun, so that this is soon.
  if (doubtful && running.length > 0) return { taken: [], nextAt: Math.min(...later) };
  const taken = due.length === 0 ? [] : await claimMessages(db, doubtful ? [doubtful] : due, claiming);
  return { taken, nextAt: taken.length < due.length ? now : Math.min(...later, ...taken.map(({ due_at }) => due_at)) };
}

/** Above any difference between the instances' clocks. A message sent further ahead was sent before the clock was set back. */
const clockToleranceMs = 5000;

/**
 * The first message of each recipient, and all summaries: later messages must not overtake; a summary goes before all else, since
 * its cards are older and follow it. At most one can be claimed for each recipient. An update waits until its card was not updated
 * for a while.
 */
async function firstMessages(db: Db, gapMs: number, now: number): Promise<readonly FirstMessage[]> {
  const until = now + clockToleranceMs;
  const rows = await db
    .selectFrom("outbox")
    .selectAll()
    .select((row) => [
      row
        .case()
        .when(isPost(row))
        .then(lastSentAt(row, until))
        .when("kind", "in", updateKinds)
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
    .map(({ last_sent_at: last, ...row }) => ({ ...row, at: Math.max(row.due_at, (last ?? -gapMs) + gapMs) }));
}

/** Claims the first of the messages that are still as they were read. The instances' clocks must agree to a fraction of a second. */
async function claimMessages(
  db: Db,
  messages: readonly FirstMessage[],
  { now, leaseMs, limit }: Claiming,
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
    .limit(limit);
  const claimed = await db
    .updateTable("outbox")
    .set({ due_at: now + leaseMs, ...counted })
    .where(claimable(db, unchanged))
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
  return row.and([
    row("kind", "not in", updateKinds),
    row.or([row("kind", "!=", "summary"), row("posted_ts", "is", null)]),
  ]);
}

const lastSentAt = (row: Row, until: number) =>
  earlier(row)
    .where("earlier.sent_at", "<=", until)
    .select((each) => each.fn.max("earlier.sent_at").as("at"));

/** Of the same card, or of the reminders of a change. The `due_at` of a sent update says when. */
const lastUpdateAt = (row: Row, until: number) =>
  earlier(row)
    .whereRef("earlier.change_id", "=", "outbox.change_id")
    .whereRef("earlier.kind", "=", "outbox.kind")
    .where("earlier.state", "=", "sent")
    .where("earlier.due_at", "<=", until)
    .select((each) => each.fn.max("earlier.due_at").as("at"));

const earlier = (row: Row) =>
  row.selectFrom("outbox as earlier").whereRef("earlier.recipient", "=", "outbox.recipient");

/**
 * Summarizes a burst of cards when its first card could be claimed. Creates a `summary` row that the cards' rows refer to, or adds
 * them to the summary of the burst they continue, which is then updated. The summary's row keeps where it was posted, as
 * a card's does; so a crash leaves either the plain cards, or one summary with its cards. True if a summary waits now.
 */
async function summarizeBursts(db: Db, due: readonly FirstMessage[], { now, pace }: Claiming): Promise<boolean> {
  let isSummarized = false;
  for (const first of due) {
    if (first.kind !== "card" || first.summary_id !== null) continue;
    // Read first: mostly there is no burst, and a read blocks no writer.
    const cards = await cardsFrom(db, first, pace.burst.withinMs);
    if (waitingIn(cards, first.id, now, pace).length === 0) continue;
    isSummarized = (await transact(db, (trx) => summarizeFrom(trx, first.id, now, pace))) || isSummarized;
  }
  return isSummarized;
}

async function summarizeFrom(trx: Transaction<Database>, id: number, now: number, pace: Pace): Promise<boolean> {
  // Locking this row keeps others from claiming it, and from summarizing the same cards.
  const first = await trx
    .selectFrom("outbox")
    .selectAll()
    .where("id", "=", id)
    .where("state", "=", "pending")
    .where("summary_id", "is", null)
    .$if(isPostgres(trx), (query) => query.forUpdate())
    .executeTakeFirst();
  if (!first || first.due_at > now) return false;
  const cards = await cardsFrom(trx, first, pace.burst.withinMs);
  const waiting = waitingIn(cards, id, now, pace);
  if (waiting.length === 0) return false;
  const earlier = cards.findLast((card) => !isFromAhead(card, now) && card.summary_id !== null)?.summary_id;
  const isContinued = earlier != null && (await requeueSummary(trx, earlier, now));
  // A single card needs no summary.
  if (!isContinued && waiting.length === 1) return false;
  const summary_id = isContinued ? earlier : await beginSummary(trx, first, now);
  for (const { id: card, due_at } of waiting)
    await trx
      .updateTable("outbox")
      .set({ summary_id })
      .where("id", "=", card)
      .where("state", "=", "pending")
      // Another instance has not claimed it.
      .where("due_at", "=", due_at)
      .execute();
  return true;
}

/** What can be claimed of the burst that this card is in. */
const waitingIn = (cards: readonly Card[], id: number, now: number, { burst }: Pace): readonly Card[] =>
  burstFrom(
    cards.filter((card) => !isFromAhead(card, now)),
    id,
    burst,
  ).filter((card) => card.state === "pending" && card.summary_id === null && card.due_at <= now);

/** Sent before the clock was set back, so not part of this burst. */
const isFromAhead = ({ state, queued_at }: Card, now: number): boolean => state !== "pending" && queued_at > now;

async function beginSummary(trx: Transaction<Database>, first: OutboxRow, now: number): Promise<number> {
  const { change_id, recipient } = first;
  const { id } = await trx
    .insertInto("outbox")
    .values({ change_id, kind: "summary", recipient, ...pendingFrom(now) })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

/** False for an abandoned summary: its cards go to the channel. */
async function requeueSummary(trx: Transaction<Database>, summaryId: number, now: number): Promise<boolean> {
  const again = await trx
    .updateTable("outbox")
    .set(pendingFrom(now))
    .where("id", "=", summaryId)
    .where("state", "=", "sent")
    .returning("id")
    .executeTakeFirst();
  return again !== undefined;
}

const pendingFrom = (now: number) =>
  ({ state: "pending", attempts: 0, tries: 0, due_at: now, queued_at: now }) as const;

type OutboxRow = Selectable<OutboxTable>;
type Card = Pick<OutboxRow, "id" | "state" | "queued_at" | "due_at" | "summary_id">;

/** Cards read at a time; those of a longer burst join later. */
const maxCards = 500;

/** A channel's cards from shortly before the first one on. Without cards that await approval: nobody may miss their buttons. */
function cardsFrom(db: Kysely<Database>, first: OutboxRow, withinMs: number): Promise<readonly Card[]> {
  return db
    .selectFrom("outbox")
    .innerJoin("change", "change.id", "outbox.change_id")
    .select(["outbox.id", "outbox.state", "outbox.queued_at", "outbox.due_at", "outbox.summary_id"])
    .where("outbox.recipient", "=", first.recipient)
    .where("outbox.queued_at", ">=", first.queued_at - withinMs)
    .where("outbox.kind", "=", "card")
    .where("change.state", "!=", "awaiting-approval")
    .orderBy("outbox.queued_at")
    .orderBy("outbox.id")
    .limit(maxCards)
    .execute();
}

/** The burst's cards from the first one on; none outside a burst. `cards` are in queue order. */
function burstFrom(cards: readonly Card[], firstId: number, { moreThan, withinMs }: Pace["burst"]): readonly Card[] {
  const queuedAt = (index: number) => cards[index]?.queued_at ?? Number.NaN;
  const isCrowded = (start: number) => queuedAt(start + moreThan) - queuedAt(start) <= withinMs;
  const isInBurst = (index: number) =>
    cards.some((_card, start) => start <= index && index <= start + moreThan && isCrowded(start));
  const begin = cards.findIndex(({ id }) => id === firstId);
  if (begin < 0) return [];
  const rest = cards.slice(begin);
  const end = rest.findIndex(
    (card, index) =>
      !isInBurst(begin + index) || (index > 0 && card.queued_at - queuedAt(begin + index - 1) > withinMs),
  );
  return end < 0 ? rest : rest.slice(0, end);
}

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
