import { type Insertable, type Kysely, type Selectable, sql } from "kysely";
import { z } from "zod";
import { maxTries } from "../../changes/job.ts";
import type { AskedBefore, CallerRequestStore } from "../../changes/receipts.ts";
import {
  type HeardStore,
  InterruptedTwiceError,
  type Receipt,
  type ReceiptStore,
  receiptKinds,
} from "../../changes/receipts.ts";
import type { Database, Db, ReceiptTable } from "../db/database.ts";
import { type OnUnreadable, readRows } from "../db/read-rows.ts";
import { jsonOrNull, thread } from "./change-row.ts";
import type { Instances } from "./instance-table.ts";

export function createReceiptStore(db: Db, instances: Instances, onUnreadable: OnUnreadable): ReceiptStore {
  const { id: instance } = instances;
  const ownReceipt = (id: string) => db.updateTable("receipt").where("id", "=", id).where("instance", "=", instance);
  return {
    receive: (receipt) => receive(db, rowOf(receipt, instance)),
    endReceipt: async (id) => {
      await ownReceipt(id).set({ said_json: null }).execute();
    },
    closeReceipt: async (id) => {
      await closeReceipt(db, id, instance);
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

type NewReceipt = Insertable<ReceiptTable>;

/** Each instance that handles a receipt counts as a try. Throws for one that was tried too often. */
async function receive(db: Db, row: NewReceipt): Promise<void> {
  const { tries } = await db
    .insertInto("receipt")
    .values(row)
    .onConflict((conflict) =>
      conflict.column("id").doUpdateSet(({ ref }) => ({
        instance: ref("excluded.instance"),
        tries: sql<number>`receipt.tries + case when receipt.instance = excluded.instance then 0 else 1 end`,
      })),
    )
    .returning("tries")
    .executeTakeFirstOrThrow();
  if (tries > maxTries) throw new InterruptedTwiceError();
}

/** False, with nothing deleted, if the receipt is not this instance's any more. */
export async function closeReceipt(db: Kysely<Database>, receiptId: string, instance: string): Promise<boolean> {
  const own = db.deleteFrom("receipt").where("id", "=", receiptId).where("instance", "=", instance);
  return (await own.returning("id").executeTakeFirst()) !== undefined;
}

/** Takes what instances left that are gone, oldest first. */
async function takeAbandoned(db: Kysely<Database>, { id, isGone }: Instances) {
  const rows = await db
    .updateTable("receipt")
    .set({ instance: id })
    .where("instance", "!=", id)
    .where(isGone("receipt.instance"))
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

/** The messages that were heard, by the instance that answers each. */
export function createHeardStore(db: Db, { id: instance, isGone }: Instances, now: () => number): HeardStore {
  const heard = (key: string) => db.updateTable("heard_message").where("key", "=", key);
  return {
    hearMessage: async (key) => {
      const taken = await db
        .insertInto("heard_message")
        .values({ key, instance, at: now(), is_answered: 0 })
        .onConflict((conflict) =>
          conflict
            .column("key")
            .doUpdateSet({ instance })
            .where("heard_message.is_answered", "=", 0)
            .where((row) => row.or([row("heard_message.instance", "=", instance), isGone("heard_message.instance")])),
        )
        .returning("key")
        .execute();
      return taken.length > 0;
    },
    answeredMessage: async (key) => {
      await heard(key).set({ is_answered: 1 }).execute();
    },
    forgetMessage: async (key) => {
      await db.deleteFrom("heard_message").where("key", "=", key).where("instance", "=", instance).execute();
    },
  };
}

const storedAnswer = z.object({ status: z.int(), body: z.string(), location: z.string().optional() });

export function createCallerRequestStore(db: Db): CallerRequestStore {
  const callerRequest = async (id: string): Promise<AskedBefore | undefined> => {
    const found = db.selectFrom("caller_request").select(["body_hash", "answer_json"]).where("id", "=", id);
    const row = await found.executeTakeFirst();
    return (
      row && {
        bodyHash: row.body_hash,
        answer: row.answer_json === null ? undefined : storedAnswer.parse(JSON.parse(row.answer_json)),
      }
    );
  };
  return {
    callerRequest,
    claimCallerRequest: async ({ id, bodyHash, receivedAt }) => {
      const claimed = await db
        .insertInto("caller_request")
        .values({ id, body_hash: bodyHash, received_at: receivedAt, answer_json: null })
        .onConflict((conflict) => conflict.column("id").doNothing())
        .returning("id")
        .execute();
      const earlier = claimed.length === 0 ? await callerRequest(id) : undefined;
      return earlier ?? { bodyHash, answer: undefined };
    },
    answerCallerRequest: async (id, answer) => {
      const unanswered = db.updateTable("caller_request").where("id", "=", id).where("answer_json", "is", null);
      await unanswered.set({ answer_json: JSON.stringify(answer) }).execute();
    },
  };
}
