import type { ExpressionBuilder, Kysely, Selectable } from "kysely";
import { z } from "zod";
import type { Delivery, DeliveryStore, NewDelivery } from "../changes/ports.ts";
import type { Database, Db, DeliveryTable } from "./database.ts";
import type { OnUnreadable } from "./read-rows.ts";

const deliveryKind = z.enum(["card", "thread", "update", "tell", "report", "reminder"]);

export function createDeliveryStore(db: Db, onUnreadable: OnUnreadable): DeliveryStore {
  const store: DeliveryStore = {
    nextDue: async (now) => {
      const row = await db
        .selectFrom("delivery")
        .selectAll()
        .where("state", "=", "pending")
        .where("due_at", "<=", now)
        .where((outer) => outer.not(outer.exists(pendingBefore(outer).where("earlier.due_at", ">", now))))
        .orderBy("id")
        .limit(1)
        .executeTakeFirst();
      const kind = deliveryKind.safeParse(row?.kind);
      if (!row || kind.success) return row && deliveryOf(row);
      onUnreadable({ table: "delivery", id: String(row.id) }, kind.error);
      await store.abandon(row.id, `unknown kind ${row.kind}`, [], now);
      return store.nextDue(now);
    },
    nextDueAt: async () => {
      const row = await db
        .selectFrom("delivery")
        .select("due_at")
        .where("state", "=", "pending")
        .where((outer) => outer.not(outer.exists(pendingBefore(outer))))
        .orderBy("due_at")
        .limit(1)
        .executeTakeFirst();
      return row?.due_at;
    },
    delivered: async (id, posted) => {
      await db
        .updateTable("delivery")
        .set({
          state: "delivered",
          posted_channel: posted?.channelId ?? null,
          posted_ts: posted?.ts ?? null,
          posted_thread: posted?.threadTs ?? null,
          error: null,
        })
        .where("id", "=", id)
        .execute();
    },
    claim: async (id, dueAt) => {
      await db
        .updateTable("delivery")
        .set((column) => ({ due_at: dueAt, attempts: column("attempts", "+", 1) }))
        .where("id", "=", id)
        .execute();
    },
    postpone: async (id, dueAt, error) => {
      await db.updateTable("delivery").set({ due_at: dueAt, error }).where("id", "=", id).execute();
    },
    abandon: (id, error, instead, now) =>
      db.transaction().execute(async (trx) => {
        await trx.updateTable("delivery").set({ state: "abandoned", error }).where("id", "=", id).execute();
        await queueDeliveries(trx, instead, now);
      }),
    queue: (deliveries, dueAt) => queueDeliveries(db, deliveries, dueAt),
    answered: (changeId, userId) => dropTell(db, changeId, userId),
    tellNow: (changeId, userId, now) =>
      db.transaction().execute(async (trx) => {
        await dropTell(trx, changeId, userId);
        await queueDeliveries(trx, [{ changeId, kind: "tell", to: userId, underChangeId: null }], now);
      }),
    cardOf: async (changeId, channelId) => {
      const row = await cards(db, changeId).where("recipient", "=", channelId).executeTakeFirst();
      if (!row?.posted_channel || !row.posted_ts) return undefined;
      return { channelId: row.posted_channel, ts: row.posted_ts, threadTs: row.posted_thread };
    },
    cardChannels: async (changeId) => (await cards(db, changeId).execute()).map(({ recipient }) => recipient),
  };
  return store;
}

async function dropTell(db: Kysely<Database>, changeId: string, userId: string): Promise<void> {
  await db
    .deleteFrom("delivery")
    .where("change_id", "=", changeId)
    .where("kind", "=", "tell")
    .where("recipient", "=", userId)
    .where("state", "=", "pending")
    .execute();
}

/** An earlier delivery to the same recipient that is still to come: what came later must not overtake it. */
function pendingBefore(outer: ExpressionBuilder<Database, "delivery">) {
  return outer
    .selectFrom("delivery as earlier")
    .select("earlier.id")
    .where("earlier.state", "=", "pending")
    .whereRef("earlier.recipient", "=", "delivery.recipient")
    .whereRef("earlier.id", "<", "delivery.id");
}

function deliveryOf(row: Selectable<DeliveryTable>): Delivery {
  return {
    id: row.id,
    changeId: row.change_id,
    kind: deliveryKind.parse(row.kind),
    to: row.recipient,
    underChangeId: row.under_change_id,
    attempts: row.attempts,
    note: row.note ?? undefined,
  };
}

function cards(db: Db, changeId: string) {
  return db
    .selectFrom("delivery")
    .select(["recipient", "posted_channel", "posted_ts", "posted_thread"])
    .where("change_id", "=", changeId)
    .where("kind", "=", "card")
    .where("state", "!=", "abandoned");
}

/** Puts deliveries in the queue, within the caller's transaction. */
export async function queueDeliveries(
  db: Kysely<Database>,
  deliveries: readonly NewDelivery[],
  dueAt: number,
): Promise<void> {
  if (deliveries.length === 0) return;
  const rows = deliveries.map(({ changeId, kind, to, underChangeId, note, afterMs = 0 }) => ({
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
  await db.insertInto("delivery").values(rows).execute();
}
