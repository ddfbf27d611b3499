import { type SqlBool, sql } from "kysely";
import type { TurnStore } from "../changes/ports.ts";
import { type Db, isPostgres } from "./database.ts";
import { atDatabase, type Instances } from "./instances.ts";

/** An older version that shares the database takes a turn for over after this. */
const longestTurnMs = 5 * 60_000;

/**
 * A turn is over when its machine ends it, or is gone; never by a clock, which may be set. Where there is one machine, its own queue
 * is enough.
 */
export function createTurnStore(db: Db, { id, isAlive }: Instances): TurnStore {
  if (!isPostgres(db)) return { takeTurn: async () => true, endTurn: async () => undefined };
  const until = sql<number>`${atDatabase} + ${longestTurnMs}`;
  return {
    takeTurn: async (key) => {
      const taken = await db
        .insertInto("turn")
        .values({ key, machine: id, until })
        .onConflict((conflict) =>
          conflict
            .column("key")
            .doUpdateSet({ machine: id, until })
            .where((column) =>
              column.or([column("turn.machine", "=", id), sql<SqlBool>`not ${isAlive("turn.machine")}`]),
            ),
        )
        .returning("key")
        .executeTakeFirst();
      return taken !== undefined;
    },
    endTurn: async (key) => {
      await db.deleteFrom("turn").where("key", "=", key).where("machine", "=", id).execute();
    },
  };
}
