import { type Insertable, type Kysely, type QueryCreator, type Selectable, type SqlBool, sql } from "kysely";
import { z } from "zod";
import { maxTries } from "../../changes/job.ts";
import { InterruptedTwiceError, type Receipt, type ReceiptStore, receiptKinds } from "../../changes/receipts.ts";
import { type Database, type Db, isPostgres, type ReceiptTable, type ResourceGroupTable } from "../db/database.ts";
import { prepared } from "../db/prepared.ts";
import { type OnUnreadable, readRows } from "../db/read-rows.ts";
import type { Arrivals } from "./arrivals.ts";
import { jsonOrNull, thread } from "./change-row.ts";
import type { Instances } from "./instance-table.ts";

export function createReceiptStore(
  db: Db,
  instances: Instances,
  arrivals: Arrivals,
  onUnreadable: OnUnreadable,
): ReceiptStore {
  const { id: instance } = instances;
  const ownReceipt = (id: string) => db.updateTable("receipt").where("id", "=", id).where("instance", "=", instance);
  return {
    receive: inBatches(
      (receipt) => rowOf(receipt, instance),
      (rows) =>
        isPostgres(db)
          ? insertAndLook(db, rows, arrivals)
          : insertReceipts(db, rows).returning(["id", "tries"]).execute(),
    ),
    endReceipt: async (id) => {
      await ownReceipt(id).set({ said_json: null }).execute();
    },
    closeReceipt: async (id) => {
      await closeReceipt(db, { receiptId: id, instance });
    },
    beginReceipt: async (id) => {
      const begun = ownReceipt(id).set((column) => ({ tries: column("tries", "+", 1) }));
      return (await begun.returning("tries").executeTakeFirst())?.tries;
    },
    leaveReceipt: async (id) => {
      await ownReceipt(id)
        .set((column) => ({ instance: nobody, tries: column("tries", "-", 1) }))
        .execute();
    },
    ownsReceipt: async (id) => {
      const own = db.selectFrom("receipt").select("id").where("id", "=", id).where("instance", "=", instance);
      return (await own.execute()).length > 0;
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

/** Ten parameters a row: below every limit of SQLite and PostgreSQL. */
const maxBatch = 100;

type NewReceipt = Insertable<ReceiptTable>;

/** Writes together what arrives while an earlier write is under way, since each write waits for the disk. */
function inBatches(
  rowFor: (receipt: Receipt) => NewReceipt,
  insert: (rows: readonly NewReceipt[]) => Promise<readonly Pick<Selectable<ReceiptTable>, "id" | "tries">[]>,
): ReceiptStore["receive"] {
  const waiting: {
    readonly row: NewReceipt;
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
        const received = await insert([...rows.values()]);
        const over = new Set(received.flatMap(({ id, tries }) => (tries > maxTries ? [id] : [])));
        for (const { row, resolve, reject } of batch)
          if (over.has(row.id)) reject(new InterruptedTwiceError());
          else resolve();
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

/** Each instance that handles a receipt counts as a try. */
function insertReceipts(db: QueryCreator<Database>, rows: readonly NewReceipt[]) {
  return db
    .insertInto("receipt")
    .values(rows)
    .onConflict((conflict) =>
      conflict.column("id").doUpdateSet(({ ref }) => ({
        instance: ref("excluded.instance"),
        tries: sql<number>`receipt.tries + case when receipt.instance = excluded.instance then 0 else 1 end`,
      })),
    );
}

/** In the same statement: which requests are new, and the saved groups, which every request needs. */
async function insertAndLook(db: Db, rows: readonly NewReceipt[], arrivals: Arrivals) {
  const { received, groups } = await db
    // A row that was there before has a mark of its change.
    .with("received", (query) =>
      insertReceipts(query, rows).returning(["id", "tries", sql<boolean>`xmax = 0`.as("is_new")]),
    )
    .with("looked_up", (query) =>
      query
        .selectFrom("received")
        .leftJoin("change", "change.idempotency_key", "received.id")
        .select(["received.id", "received.tries", sql<boolean>`is_new and change.id is null`.as("is_first")]),
    )
    .selectNoFrom([
      sql<readonly Received[]>`(select json_agg(looked_up) from looked_up)`.as("received"),
      sql<readonly Selectable<ResourceGroupTable>[] | null>`
        (select json_agg(resource_group order by name) from resource_group)`.as("groups"),
    ])
    .executeTakeFirstOrThrow();
  for (const { id, is_first } of received) {
    if (is_first) arrivals.note(id, groups ?? []);
    else arrivals.forget(id);
  }
  return received;
}

type Received = Pick<Selectable<ReceiptTable>, "id" | "tries"> & { readonly is_first: boolean };

export interface OwnReceipt {
  readonly receiptId: string;
  readonly instance: string;
}

/** Deletes nothing if the receipt is not this instance's any more. Returns the id of what it deleted. */
export const closeReceipt = prepared((db, { receiptId, instance }: OwnReceipt) =>
  db.deleteFrom("receipt").where("id", "=", receiptId).where("instance", "=", instance).returning("id"),
);

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

function rowOf(
  { id, kind, words, said, pressed, userId, channelId, receivedAt, askedIn }: Receipt,
  instance: string,
): NewReceipt {
  return {
    ...{ id, instance, kind, words },
    said_json: jsonOrNull(said ?? pressed ?? null),
    actor_id: userId,
    channel_id: channelId,
    received_at: receivedAt,
    asked_in_json: jsonOrNull(askedIn),
    tries: 1,
  };
}

const word = z.strictObject({ value: z.string(), isQuoted: z.boolean() });
const saidIn = z.strictObject({
  parts: z.record(z.string(), z.array(word)),
  sets: z.record(z.string(), z.unknown()),
  isConfirmed: z.boolean().optional(),
});
const pressedIn = z.strictObject({
  actionId: z.string(),
  value: z.string(),
  surface: z.string(),
  fromHome: z.boolean(),
});

function receiptOf(row: Selectable<ReceiptTable>): Receipt {
  const { id, kind, words, said_json, actor_id: userId, channel_id: channelId, received_at: receivedAt } = row;
  const { asked_in_json: askedIn } = row;
  return {
    ...{ id, words, userId, channelId, receivedAt },
    kind: z.enum(receiptKinds).parse(kind),
    askedIn: askedIn === null ? undefined : thread.parse(JSON.parse(askedIn)),
    ...(said_json === null ? {} : wordsIn(kind, JSON.parse(said_json))),
  };
}

const wordsIn = (kind: string, json: unknown): Pick<Receipt, "said" | "pressed"> =>
  kind === "button" ? { pressed: pressedIn.parse(json) } : { said: saidIn.parse(json) };
