import type { Kysely, Selectable, Transaction } from "kysely";
import { z } from "zod";
import { notifyRequester } from "../../changes/announce.ts";
import type { NewNotice, Notice } from "../../changes/change.ts";
import {
  isUpdate,
  type NewOutboxMessage,
  type OutboxMessage,
  outboxKinds,
  type PostedCard,
  type Redrawn,
  redrawnKinds,
  type SummedUp,
} from "../../changes/outbox-message.ts";
import type { OutboxStore } from "../../changes/ports.ts";
import { isProgram } from "../../permissions/actor.ts";
import type { Database, Db, OutboxTable } from "../db/database.ts";
import type { OnUnreadable } from "../db/read-rows.ts";
import { announceCommit, transact } from "../db/transact.ts";
import { noticeFacts, outcomeFacts } from "../history/history-facts.ts";
import { appendTransition } from "../history/transition-table.ts";
import type { createClockCheck } from "./claim-at-pace.ts";
import { claimAtPace } from "./claim-at-pace.ts";

const outboxKind = z.enum(outboxKinds);

export function createOutboxStore(
  db: Db,
  checkClock: ReturnType<typeof createClockCheck>,
  onUnreadable: OnUnreadable,
): OutboxStore {
  return {
    claim: async (now, leaseMs, pace, limit, running = []) => {
      await checkClock(now);
      const { taken, nextAt } = await claimAtPace(db, { now, leaseMs, pace, limit, running });
      const messages: OutboxMessage[] = [];
      for (const row of taken) {
        const kind = outboxKind.safeParse(row.kind);
        if (kind.success) messages.push(messageOf(row));
        else {
          onUnreadable({ table: "outbox", id: String(row.id) }, kind.error);
          await abandon(db, row.id, `unknown kind ${row.kind}`, [], now);
        }
      }
      for (const message of messages) if (isUpdate(message)) await dropRepeated(db, message, now);
      // What an unreadable one held up.
      return { taken: messages, nextAt: messages.length < taken.length ? now : nextAt };
    },
    markSent: (id, posted, at, notice) => transact(db, (trx) => markSent(trx, { id, posted, at }, notice)),
    postpone: async (id, dueAt, error) => {
      await pending(db, id).set({ due_at: dueAt, error, tries: 0 }).execute();
    },
    abandon: (id, error, instead, now) => abandon(db, id, error, instead, now),
    queue: (outbox, dueAt) => transact(db, (trx) => queueMessages(trx, outbox, dueAt)),
    isQueued: async (kind, to) => {
      const messages = db.selectFrom("outbox").select("id").where("recipient", "=", to).where("kind", "=", kind);
      return (await messages.executeTakeFirst()) !== undefined;
    },
    answered: (changeId, userId) => dropNotification(db, changeId, userId),
    notifyNow: (changeId, userId, now) =>
      transact(db, async (trx) => {
        await dropNotification(trx, changeId, userId);
        await queueMessages(trx, [notifyRequester({ id: changeId, actor: { userId } })], now);
      }),
    cardOf: async (changeId, channelId) => {
      const row = (await cardsOf(db, changeId)).findLast(({ recipient }) => recipient === channelId);
      return row && placeOf(row);
    },
    cardChannels: async (changeId) => [...new Set((await cardsOf(db, changeId)).map(({ recipient }) => recipient))],
    messagesOf: (changeId) => messagesOf(db, changeId),
    postedAt: (message) => postedAt(db, message),
    changeOfCard: async (channelId, ts) => {
      // A message's `ts` is the time when it was posted: this bounds the search.
      const sentAt = Number(ts) * 1000;
      const row = await db
        .selectFrom("outbox")
        .select("change_id")
        .where("recipient", "=", channelId)
        .where("sent_at", ">=", Math.floor(sentAt - clockSkewMs))
        .where("sent_at", "<=", Math.ceil(sentAt + clockSkewMs))
        .where("posted_ts", "=", ts)
        .where("kind", "=", "card")
        .executeTakeFirst();
      return row?.change_id;
    },
    summaryCard: async (id) => {
      const row = await places(db).where("id", "=", id).where("state", "!=", "abandoned").executeTakeFirst();
      return row && placeOf(row);
    },
    summedUp: (id) => summedUp(db, id),
  };
}

async function abandon(
  db: Db,
  id: number,
  error: string,
  instead: readonly NewOutboxMessage[],
  now: number,
): Promise<void> {
  await transact(db, async (trx) => {
    const abandoned = await pending(trx, id).set({ state: "abandoned", error }).returning("id").execute();
    if (abandoned.length > 0) await queueMessages(trx, instead, now);
  });
}

async function markSent(
  trx: Transaction<Database>,
  { id, posted, at }: { readonly id: number; readonly posted: PostedCard | undefined; readonly at: number },
  notice: NewNotice | undefined,
): Promise<void> {
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
    .returning("change_id")
    .executeTakeFirst();
  if (message && notice) await recordNotice(trx, message.change_id, { ...notice, at });
}

/** Keeps a message with a note: the note still has to be sent. */
async function dropNotification(db: Kysely<Database>, changeId: string, userId: string): Promise<void> {
  await db
    .deleteFrom("outbox")
    .where("change_id", "=", changeId)
    .where("kind", "=", "notify-requester")
    .where("recipient", "=", userId)
    .where("note", "is", null)
    .where("state", "=", "pending")
    .execute();
}

/** An update draws a message as it stands, so one replaces the others that wait for the same message. */
async function dropRepeated(
  db: Db,
  { id, changeId, kind, to, underChangeId }: OutboxMessage,
  now: number,
): Promise<void> {
  await db
    .updateTable("outbox")
    .set({ state: "sent", error: null })
    .where("change_id", "=", changeId)
    .where("kind", "=", kind)
    .where("recipient", "=", to)
    .where("under_change_id", "is not distinct from", underChangeId)
    .where("state", "=", "pending")
    .where("id", ">", id)
    // Another instance has not claimed it.
    .where("due_at", "<=", now)
    .execute();
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

const places = (db: Db) => db.selectFrom("outbox").select(["posted_channel", "posted_ts", "posted_thread"]);

const cardsOf = (db: Db, changeId: string) =>
  places(db)
    .select("recipient")
    .where("change_id", "=", changeId)
    .where("kind", "in", ["card", "owner-card", "bulletin"])
    .where("state", "!=", "abandoned")
    .orderBy("id")
    .execute();

const redrawnKind = z.enum(redrawnKinds);

async function messagesOf(db: Db, changeId: string): Promise<readonly Redrawn[]> {
  const rows = await db
    .selectFrom("outbox")
    .select(["kind", "recipient", "under_change_id"])
    .where("change_id", "=", changeId)
    .where("kind", "in", redrawnKind.options)
    // One that waits may be on its way. Its update follows it, in the same queue.
    .where("state", "!=", "abandoned")
    .execute();
  return rows.map(({ kind, recipient: to, under_change_id: underChangeId }) => ({
    ...{ kind: redrawnKind.parse(kind), changeId, to, underChangeId },
  }));
}

async function postedAt(db: Db, { kind, changeId, to, underChangeId }: Redrawn): Promise<PostedCard | undefined> {
  const row = await places(db)
    .where("change_id", "=", changeId)
    .where("kind", "=", kind)
    .where("recipient", "=", to)
    .where("under_change_id", "is not distinct from", underChangeId)
    .executeTakeFirst();
  return row && placeOf(row);
}

/** Between Slack and this machine. */
const clockSkewMs = 10 * 60_000;

const summedUp = (db: Db, summaryId: number): Promise<readonly SummedUp[]> =>
  db
    .selectFrom("outbox")
    .innerJoin("change", "change.id", "outbox.change_id")
    .select(["change.words", "change.state", "change.actor_id as actorId", "change.actor_name as actorName"])
    .select("outbox.queued_at as queuedAt")
    .where("outbox.summary_id", "=", summaryId)
    .orderBy("outbox.id")
    .execute();

const otherKinds = outboxKind.exclude(["summary", "card", "owner-card"]).options;

/** Keeps posted cards, since they may be redrawn. The `due_at` of a finished message is when it was sent, or the end of its last lease. */
export async function cleanOutbox(db: Db, before: number, limit: number): Promise<number> {
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
  const rows = readable.map(({ changeId, kind, to, underChangeId, note, afterMs = 0 }) => ({
    change_id: changeId,
    kind,
    recipient: to,
    under_change_id: underChangeId,
    state: "pending",
    attempts: 0,
    due_at: dueAt + afterMs,
    queued_at: dueAt,
    note: note ?? null,
  }));
  await db.insertInto("outbox").values(rows).execute();
  announceCommit(db, "messages", Math.min(...rows.map(({ due_at }) => due_at)));
}

/** By writing its row: nobody else writes it before the end of this transaction. */
export const lockChange = (trx: Transaction<Database>, changeId: string) =>
  trx
    .updateTable("change")
    .set(({ ref }) => ({ state: ref("state") }))
    .where("id", "=", changeId)
    .returningAll();

/** Records a notice and appends it to the history, unless it was recorded before. Must be the transaction's last step. */
async function recordNotice(
  trx: Transaction<Database>,
  changeId: string,
  { userId, name, about, isOwner, at }: Notice,
): Promise<void> {
  // Written, and so locked, first: the change's state must not change before the history has it.
  const change = await lockChange(trx, changeId).executeTakeFirstOrThrow();
  const row = await trx
    .insertInto("notice")
    .values({ change_id: changeId, user_id: userId, name, about, is_owner: isOwner ? 1 : 0, at })
    .onConflict((conflict) => conflict.columns(["change_id", "user_id", "about"]).doNothing())
    .returningAll()
    .executeTakeFirst();
  if (!row) return;
  const facts = { notified: noticeFacts(row), outcome: outcomeFacts(change) };
  await appendTransition(trx, { changeId, state: change.state, at, facts });
}
