import { type Kysely, type Nullable, type QueryCreator, type Selectable, type SqlBool, sql } from "kysely";
import { z } from "zod";
import { type Receipt, type ReceiptStore, receiptKinds } from "../../changes/receipts.ts";
import { type Database, type Db, isPostgres, type ReceiptTable } from "../db/database.ts";
import { prepared } from "../db/prepared.ts";
import { type OnUnreadable, readRows } from "../db/read-rows.ts";
import { jsonOrNull } from "./change-row.ts";
import type { Instances } from "./instance-table.ts";

export function createReceiptStore(db: Db, instances: Instances, onUnreadable: OnUnreadable): ReceiptStore {
  const { id: instance } = instances;
  const ownReceipt = (id: string) => db.updateTable("receipt").where("id", "=", id).where("instance", "=", instance);
  return {
    receive: inBatches(db, (receipt) => rowOf(receipt, instance)),
    endReceipt: async (id) => {
      await ownReceipt(id).set({ said_json: null }).execute();
    },
    closeReceipt: async (id) => {
      await closeReceipt(db, { receiptId: id, instance });
    },
    leaveReceipt: async (id) => {
      await ownReceipt(id).set({ instance: nobody }).execute();
    },
    takeAbandonedReceipts: async () => {
      await instances.observe();
      const rows = await takeAbandoned(db, instances);
      return readRows("receipt", rows, receiptOf, onUnreadable);
    },
  };
}

/** The instance of a receipt that the next round takes. */
const nobody = "";

/** Eight parameters a row: below every limit of SQLite and PostgreSQL. */
const maxBatch = 100;

/** Writes together what arrives while an earlier write is under way, since each write waits for the disk. */
function inBatches(db: Db, rowFor: (receipt: Receipt) => ReceiptTable): ReceiptStore["receive"] {
  const waiting: {
    readonly row: ReceiptTable;
    readonly resolve: () => void;
    readonly reject: (error: unknown) => void;
  }[] = [];
  let isWriting = false;
  const writeAll = async (): Promise<void> => {
    isWriting = true;
    while (waiting.length > 0) {
      const batch = waiting.splice(0, maxBatch);
      try {
        // A statement may touch a row once.
        const rows = new Map(batch.map(({ row }) => [row.id, row]));
        await insertReceipts(db, [...rows.values()]);
        for (const { resolve } of batch) resolve();
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    isWriting = false;
  };
  return (receipt) =>
    new Promise((resolve, reject) => {
      waiting.push({ row: rowFor(receipt), resolve, reject });
      if (!isWriting) void writeAll();
    });
}

async function insertReceipts(db: Db, rows: readonly ReceiptTable[]): Promise<void> {
  await db
    .insertInto("receipt")
    .values(rows)
    .onConflict((conflict) => conflict.column("id").doUpdateSet(({ ref }) => ({ instance: ref("excluded.instance") })))
    .execute();
}

export interface OwnReceipt {
  readonly receiptId: string;
  readonly instance: string;
}

/** Deletes nothing if the receipt is not this instance's any more. */
export function deleteOwn(db: QueryCreator<Database>, { receiptId, instance }: Nullable<OwnReceipt>) {
  return db.deleteFrom("receipt").where("id", "=", receiptId).where("instance", "=", instance).returning("id");
}

/** Returns the id of what it deleted. */
export const closeReceipt = prepared((db, own: OwnReceipt) => deleteOwn(db, own));

/** Takes what instances left that are gone, oldest first. On SQLite, any instance before this one. */
async function takeAbandoned(db: Kysely<Database>, { id, isAlive }: Instances) {
  const rows = await db
    .updateTable("receipt")
    .set({ instance: id })
    .where("instance", "!=", id)
    .$if(isPostgres(db), (query) => query.where(sql<SqlBool>`not ${isAlive("receipt.instance")}`))
    .returningAll()
    .execute();
  return rows.toSorted((one, other) => one.received_at - other.received_at);
}

function rowOf({ id, kind, words, said, userId, channelId, receivedAt }: Receipt, instance: string): ReceiptTable {
  return {
    ...{ id, instance, kind, words },
    said_json: jsonOrNull(said ?? null),
    actor_id: userId,
    channel_id: channelId,
    received_at: receivedAt,
  };
}

const word = z.strictObject({ value: z.string(), isQuoted: z.boolean() });
const saidIn = z.strictObject({
  parts: z.record(z.string(), z.array(word)),
  sets: z.record(z.string(), z.unknown()),
});

function receiptOf(row: Selectable<ReceiptTable>): Receipt {
  const { id, kind, words, said_json, actor_id: userId, channel_id: channelId, received_at: receivedAt } = row;
  return {
    ...{ id, words, userId, channelId, receivedAt },
    kind: z.enum(receiptKinds).parse(kind),
    said: said_json === null ? undefined : saidIn.parse(JSON.parse(said_json)),
  };
}
