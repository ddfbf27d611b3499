import type { Kysely, Selectable, Transaction } from "kysely";
import { z } from "zod";
import { notifyRequester } from "../../changes/announce.ts";
import type { NewNotice } from "../../changes/change.ts";
import {
  type NewOutboxMessage,
  type OutboxMessage,
  outboxKinds,
  type Pace,
  type PostedCard,
  type SummedUp,
} from "../../changes/outbox-message.ts";
import type { OutboxStore } from "../../changes/ports.ts";
import { isProgram } from "../../permissions/actor.ts";
import type { Database, Db, OutboxTable } from "../db/database.ts";
import type { OnUnreadable } from "../db/read-rows.ts";
import { atEnd, transact } from "../db/transact.ts";
import { knownOf } from "../known.ts";
import { claimAtPace, nextTimes } from "./claim-at-pace.ts";
import { recordNotice } from "./notice-table.ts";
import { summarizeBursts } from "./summarize-bursts.ts";

const outboxKind = z.enum(outboxKinds);

export function createOutboxStore(db: Db, onUnreadable: OnUnreadable): OutboxStore {
  const claim = createClaim(db, onUnreadable);
  const waiting = knownOf(db)?.waiting;
  return {
    ...cardsIn(db),
    claim,
    nextDueAt: async (gapMs, now = Number.MAX_SAFE_INTEGER) => {
      if (waiting?.nextAt !== undefined) return waiting.nextAt;
      const times = await nextTimes(db, gapMs, now);
      return times.length > 0 ? Math.min(...times.map(({ at }) => at)) : undefined;
    },
    markSent: (id, posted, at, notice) => transact(db, (trx) => markSent(trx, { id, posted, at }, notice)),
    postpone: async (id, dueAt, error) => {
      const postponed = pending(db, id).set({ due_at: dueAt, error, tries: 0 }).returning("recipient");
      for (const { recipient } of await postponed.execute()) waiting?.done(recipient, 0, dueAt);
    },
    abandon: (id, error, instead, now) => abandon(db, id, error, instead, now),
    queue: (outbox, dueAt) => transact(db, (trx) => queueMessages(trx, outbox, dueAt)),
    isQueued: async (kind, to) => {
      const messages = db.selectFrom("outbox").select("id").where("recipient", "=", to).where("kind", "=", kind);
      return (await messages.executeTakeFirst()) !== undefined;
    },
    answered: async (changeId, userId) => {
      const known = knownOf(db);
      if (!known) return dropNotification(db, changeId, userId);
      known.answered.push({ changeId, userId });
      setTimeout(() => void dropAnswered(db).catch(() => undefined), answeredAfterMs).unref();
    },
    notifyNow: (changeId, userId, now) =>
      transact(db, async (trx) => {
        await dropNotification(trx, changeId, userId);
        await queueMessages(trx, [notifyRequester({ id: changeId, actor: { userId } })], now);
      }),
  };
}

function createClaim(db: Db, onUnreadable: OnUnreadable): OutboxStore["claim"] {
  const waiting = knownOf(db)?.waiting;
  /** Whether a message can be claimed now, as far as that is known. */
  const isDue = async ({ gapMs }: Pace, now: number): Promise<boolean> => {
    if (!waiting) return (await nextTimes(db, gapMs, now)).some(({ at }) => at <= now);
    if (waiting.nextAt === undefined || waiting.nextAt <= now)
      await waiting.look(
        () => nextTimes(db, gapMs, now),
        () => pendingCounts(db),
      );
    return (waiting.nextAt ?? now) <= now;
  };
  const claim: OutboxStore["claim"] = async (now, leaseMs, pace, limit) => {
    waiting?.claimsWith(leaseMs, pace);
    const handed = waiting?.takeHanded(limit, now) ?? [];
    if (handed.length > 0) return handed.map(messageOf);
    // Read first: mostly nothing is due, and a read blocks no writer.
    if (!(await isDue(pace, now))) return [];
    await dropAnswered(db);
    const claiming = { now, leaseMs, pace };
    await summarizeBursts(db, claiming);
    const rows = await oneInDoubt(db, await claimAtPace(db, claiming, limit), now);
    waiting?.forget();
    const messages: OutboxMessage[] = [];
    for (const row of rows) {
      const kind = outboxKind.safeParse(row.kind);
      if (kind.success) messages.push(messageOf(row));
      else {
        onUnreadable({ table: "outbox", id: String(row.id) }, kind.error);
        await abandon(db, row.id, `unknown kind ${row.kind}`, [], now);
      }
    }
    for (const message of messages) if (message.kind === "update") await dropRepeated(db, message, now);
    return messages.length === 0 && rows.length > 0 ? claim(now, leaseMs, pace, limit) : messages;
  };
  return claim;
}

async function abandon(
  db: Db,
  id: number,
  error: string,
  instead: readonly NewOutboxMessage[],
  now: number,
): Promise<void> {
  await transact(db, async (trx) => {
    const abandoned = await pending(trx, id).set({ state: "abandoned", error }).returning("recipient").execute();
    for (const { recipient } of abandoned)
      atEnd(trx, (isCommitted) => isCommitted && knownOf(trx)?.waiting.done(recipient, 1, now));
    if (abandoned.length > 0) await queueMessages(trx, instead, now);
  });
}

/** The messages that were posted. */
const cardsIn = (
  db: Db,
): Pick<OutboxStore, "cardOf" | "cardChannels" | "changeOfCard" | "summaryCard" | "summedUp" | "cleanOutbox"> => ({
  cardOf: async (changeId, channelId) => {
    const row = (await cardsOf(db, changeId)).findLast(({ recipient }) => recipient === channelId);
    return row && placeOf(row);
  },
  cardChannels: async (changeId) => [...new Set((await cardsOf(db, changeId)).map(({ recipient }) => recipient))],
  changeOfCard: async (channelId, ts) => {
    const sentAt = Number(ts) * 1000;
    const [from, to] = [Math.floor(sentAt - clockSkewMs), Math.ceil(sentAt + clockSkewMs)];
    const row = await cardAt(db, { channelId, ts, from, to }).executeTakeFirst();
    return row?.change_id;
  },
  summaryCard: async (id) => {
    const row = await db
      .selectFrom("outbox")
      .select(["posted_channel", "posted_ts", "posted_thread"])
      .where("id", "=", id)
      .where("state", "!=", "abandoned")
      .executeTakeFirst();
    return row && placeOf(row);
  },
  summedUp: (id) => summedUp(db, id),
  cleanOutbox: (before, limit) => cleanOutbox(db, before, limit),
});

/** If an instance was lost over one of the messages, only that one is claimed: the others are not lost with it again. */
async function oneInDoubt(db: Db, rows: readonly Selectable<OutboxTable>[], now: number) {
  const doubtful = rows.find(({ tries }) => tries > 1);
  if (!doubtful || rows.length === 1) return rows;
  const others = rows.flatMap(({ id }) => (id === doubtful.id ? [] : [id]));
  await db
    .updateTable("outbox")
    .set((column) => ({ due_at: now, attempts: column("attempts", "-", 1), tries: column("tries", "-", 1) }))
    .where("id", "in", others)
    .execute();
  return [doubtful];
}

interface Sent {
  readonly id: number;
  readonly posted: PostedCard | undefined;
  readonly at: number;
}

async function markSent(
  trx: Transaction<Database>,
  { id, posted, at }: Sent,
  notice: NewNotice | undefined,
): Promise<void> {
  await dropAnsweredIn(trx);
  const place = posted && {
    posted_channel: posted.channelId,
    posted_ts: posted.ts,
    posted_thread: posted.threadTs,
    sent_at: at,
  };
  const message = await trx
    .updateTable("outbox")
    .set({ state: "sent", error: null, due_at: at, ...place })
    .where("id", "=", id)
    .returning(["change_id", "recipient"])
    .executeTakeFirst();
  if (!message) return;
  atEnd(trx, (isCommitted) => isCommitted && knownOf(trx)?.waiting.sent(message.recipient, at));
  if (notice) await recordNotice(trx, message.change_id, { ...notice, at });
}

/** How soon the messages to those who have their answer are dropped, if nothing is written before. */
const answeredAfterMs = 1000;

/** Drops the messages that would give people the answers that they have. */
export async function dropAnswered(db: Db): Promise<void> {
  if (knownOf(db)?.answered.length) await transact(db, dropAnsweredIn);
}

async function dropAnsweredIn(trx: Kysely<Database>): Promise<void> {
  const known = knownOf(trx);
  const answered = known?.answered.splice(0) ?? [];
  if (answered.length > 0) atEnd(trx, (isCommitted) => !isCommitted && known?.answered.push(...answered));
  for (const { changeId, userId } of answered) await dropNotification(trx, changeId, userId);
}

/** Keeps a message with a note: the note still has to be sent. */
async function dropNotification(db: Kysely<Database>, changeId: string, userId: string): Promise<void> {
  const dropped = await db
    .deleteFrom("outbox")
    .where("change_id", "=", changeId)
    .where("kind", "=", "notify-requester")
    .where("recipient", "=", userId)
    .where("note", "is", null)
    .where("state", "=", "pending")
    .returning("id")
    .execute();
  const waiting = knownOf(db)?.waiting;
  if (waiting)
    atEnd(db, (isCommitted) => isCommitted && waiting.done(userId, dropped.length, Number.POSITIVE_INFINITY));
}

/** An update draws the card as it stands, so one replaces the others that wait for the same card. */
async function dropRepeated(db: Db, { id, changeId, to }: OutboxMessage, now: number): Promise<void> {
  const dropped = await db
    .updateTable("outbox")
    .set({ state: "sent", error: null })
    .where("change_id", "=", changeId)
    .where("kind", "=", "update")
    .where("recipient", "=", to)
    .where("state", "=", "pending")
    .where("id", ">", id)
    // Another instance has not claimed it.
    .where("due_at", "<=", now)
    .returning("id")
    .execute();
  knownOf(db)?.waiting.done(to, dropped.length, Number.POSITIVE_INFINITY);
}

/** Changes nothing for a worker whose lease expired and whose message another has sent. */
function pending(db: Kysely<Database>, id: number) {
  return db.updateTable("outbox").where("id", "=", id).where("state", "=", "pending");
}

function messageOf(row: Selectable<OutboxTable>): OutboxMessage {
  return {
    id: row.id,
    changeId: row.change_id,
    kind: outboxKind.parse(row.kind),
    to: row.recipient,
    underChangeId: row.under_change_id,
    attempts: row.attempts - 1,
    tries: row.tries,
    note: row.note ?? undefined,
    queuedAt: row.queued_at,
    summaryId: row.summary_id ?? undefined,
  };
}

function placeOf(row: Pick<OutboxTable, "posted_channel" | "posted_ts" | "posted_thread">): PostedCard | undefined {
  if (!row.posted_channel || !row.posted_ts) return undefined;
  return { channelId: row.posted_channel, ts: row.posted_ts, threadTs: row.posted_thread };
}

const cardsOf = (db: Db, changeId: string) =>
  db
    .selectFrom("outbox")
    .select(["recipient", "posted_channel", "posted_ts", "posted_thread"])
    .where("change_id", "=", changeId)
    .where("kind", "in", ["card", "owner-card", "bulletin"])
    .where("state", "!=", "abandoned")
    .orderBy("id")
    .execute();

/** Between Slack and this machine. It bounds the search: a message's `ts` is the time when it was posted. */
const clockSkewMs = 10 * 60_000;

interface CardAt {
  readonly channelId: string;
  readonly ts: string;
  readonly from: number;
  readonly to: number;
}

const cardAt = (db: Db, { channelId, ts, from, to }: CardAt) =>
  db
    .selectFrom("outbox")
    .select("change_id")
    .where("recipient", "=", channelId)
    .where("sent_at", ">=", from)
    .where("sent_at", "<=", to)
    .where("posted_ts", "=", ts)
    .where("kind", "=", "card");

async function summedUp(db: Db, summaryId: number): Promise<readonly SummedUp[]> {
  const rows = await db
    .selectFrom("outbox")
    .innerJoin("change", "change.id", "outbox.change_id")
    .select(["change.words", "change.state", "change.actor_id", "change.actor_name", "outbox.queued_at"])
    .where("outbox.summary_id", "=", summaryId)
    .orderBy("outbox.id")
    .execute();
  return rows.map(({ words, state, actor_id, actor_name, queued_at }) => ({
    words,
    state,
    actorId: actor_id,
    actorName: actor_name,
    queuedAt: queued_at,
  }));
}

const otherKinds = outboxKind.exclude(["summary", "card", "owner-card"]).options;

/** The `due_at` of a finished message is when it was sent, or the end of its last lease. */
async function cleanOutbox(db: Db, before: number, limit: number): Promise<number> {
  const old = await db
    .selectFrom("outbox")
    .select("id")
    // Both conditions use the index: there is a posted card for every change ever made.
    .where((row) =>
      row.or([
        row.and([row("kind", "in", otherKinds), row("state", "in", ["sent", "abandoned"])]),
        row.and([row("kind", "in", ["card", "owner-card"]), row("state", "=", "abandoned")]),
      ]),
    )
    .where("due_at", "<", before)
    .limit(limit)
    .execute();
  const ids = old.map(({ id }) => id);
  if (ids.length > 0) await db.deleteFrom("outbox").where("id", "in", ids).execute();
  return ids.length;
}

/** Queues messages in the caller's transaction. */
export async function queueMessages(
  db: Kysely<Database>,
  outbox: readonly NewOutboxMessage[],
  dueAt: number,
): Promise<void> {
  // A program reads no messages: Slack would refuse them.
  const readable = outbox.filter(({ to }) => !isProgram(to));
  if (readable.length === 0) return;
  const waiting = knownOf(db)?.waiting;
  const rows = readable.map(({ changeId, kind, to, underChangeId, note, afterMs = 0 }) => {
    const row = { kind, recipient: to, due_at: dueAt + afterMs, queued_at: dueAt };
    const lease = waiting?.leaseOf(row);
    waiting?.queued(to, lease ?? row.due_at);
    return {
      ...row,
      due_at: lease ?? row.due_at,
      change_id: changeId,
      under_change_id: underChangeId,
      state: "pending",
      attempts: lease === undefined ? 0 : 1,
      tries: lease === undefined ? 0 : 1,
      note: note ?? null,
    };
  });
  const queued = db.insertInto("outbox").values(rows);
  if (!waiting) return void (await queued.execute());
  atEnd(db, (isCommitted) => {
    if (!isCommitted) for (const { recipient } of rows) waiting.done(recipient, 1, dueAt);
  });
  const claimed = (await queued.returningAll().execute()).filter(({ tries }) => tries > 0);
  atEnd(db, (isCommitted) => isCommitted && waiting.hand(claimed));
}

/** How many messages wait for each recipient. */
const pendingCounts = (db: Db) =>
  db
    .selectFrom("outbox")
    .select(({ fn }) => ["recipient", fn.countAll<number>().as("messages")])
    .where("state", "=", "pending")
    .groupBy("recipient")
    .execute();

/** The process that claimed them is gone, since this one alone uses the database. */
export async function releaseClaims(db: Db, now: number): Promise<void> {
  await db
    .updateTable("outbox")
    .set({ due_at: now })
    .where("state", "=", "pending")
    .where("tries", ">", 0)
    .where("due_at", ">", now)
    .execute();
}
