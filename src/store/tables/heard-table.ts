import type { HeardStore } from "../../changes/receipts.ts";
import type { Db } from "../db/database.ts";
import type { Instances } from "./instance-table.ts";

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
    cleanMessages: async (before, limit) => {
      const old = db.selectFrom("heard_message").select("key").where("at", "<", before).limit(limit);
      const cleaned = await db.deleteFrom("heard_message").where("key", "in", old).returning("key").execute();
      return cleaned.length;
    },
  };
}
