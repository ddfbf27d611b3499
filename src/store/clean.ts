import type { Db } from "./db/database.ts";
import { cleanBulletins } from "./tables/bulletin-table.ts";
import { cleanOutbox } from "./tables/outbox-table.ts";

/** Deletes up to `limit` rows of each table that were finished before this time, and that nothing redraws. Gives the most deleted of one table. */
export async function clean(db: Db, before: number, limit: number): Promise<number> {
  const heard = db.selectFrom("heard_message").select("key").where("at", "<", before).limit(limit);
  await db.updateTable("people_list").set({ people: "" }).execute();
  const asked = db.selectFrom("caller_request").select("id").where("received_at", "<", before).limit(limit);
  return Math.max(
    await cleanOutbox(db, before, limit),
    await cleanBulletins(db, before, limit),
    (await db.deleteFrom("heard_message").where("key", "in", heard).returning("key").execute()).length,
    (await db.deleteFrom("caller_request").where("id", "in", asked).returning("id").execute()).length,
  );
}
