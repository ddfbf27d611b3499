import { type SqlBool, sql } from "kysely";
import type { LockStore } from "../../changes/ports.ts";
import { type Db, isPostgres } from "../db/database.ts";
import { atDatabase, type Instances } from "./instances.ts";

/** An older version that shares the database takes a turn for over after this. */
const longestLockMs = 5 * 60_000;

/**
 * A turn is over when its instance ends it, or is gone; never by a clock, which may be set. Where there is one instance, its own queue
 * is enough.
 */
export function createLockStore(db: Db, { id, isAlive }: Instances): LockStore {
  if (!isPostgres(db)) return { takeLock: async () => true, releaseLock: async () => undefined };
  const until = sql<number>`${atDatabase} + ${longestLockMs}`;
  return {
    takeLock: async (key) => {
      const taken = await db
        .insertInto("lock")
        .values({ key, instance: id, until })
        .onConflict((conflict) =>
          conflict
            .column("key")
            .doUpdateSet({ instance: id, until })
            .where((column) =>
              column.or([column("lock.instance", "=", id), sql<SqlBool>`not ${isAlive("lock.instance")}`]),
            ),
        )
        .returning("key")
        .executeTakeFirst();
      return taken !== undefined;
    },
    releaseLock: async (key) => {
      await db.deleteFrom("lock").where("key", "=", key).where("instance", "=", id).execute();
    },
  };
}
