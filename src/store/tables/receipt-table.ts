import { type CompiledQuery, type Kysely, type Selectable, type SqlBool, sql, type Transaction } from "kysely";
import { z } from "zod";
import { type Receipt, type ReceiptStore, receiptKinds } from "../../changes/receipts.ts";
import { type Database, type Db, isPostgres, type ReceiptTable } from "../db/database.ts";
import { prepared } from "../db/prepared.ts";
import { type OnUnreadable, readRows } from "../db/read-rows.ts";
import { jsonOrNull } from "./change-row.ts";
import type { Instances } from "./instance-table.ts";

export function createReceiptStore(db: Db, instances: Instances, onUnreadable: OnUnreadable): ReceiptStore {
  const { id: instance } = instances;
  return {
    receive: inBatches(db, (receipt) => rowOf(receipt, instance)),
    endReceipt: async (id) => {
      await db.updateTable("receipt").set({ said_json: null }).where("id", "=", id).execute();
    },
    closeReceipt: async (id) => {
      await deleteReceipt(db, { id });
    },
    leaveReceipt: async (id) => {
      await db.updateTable("receipt").set({ instance: nobody }).where("id", "=", id).execute();
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
        await insertReceipts(
          db,
          batch.map(({ row }) => row),
        );
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
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

const deleteReceipt = prepared((db, { id }: { readonly id: string }) => db.deleteFrom("receipt").where("id", "=", id));

/** Deletes the receipt of a request in the transaction that records what came of it. */
export function closingReceipt(trx: Transaction<Database>, id: string): CompiledQuery {
  return deleteReceipt.query(trx, { id });
}

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
