import { type SqlBool, sql } from "kysely";
import type { TurnStore } from "../changes/ports.ts";
import { type Db, isPostgres } from "./database.ts";
import { atDatabase, isAlive } from "./machine-table.ts";

/** A turn ends by itself when its machine is gone, or long after any call to the service has ended. */
const longestTurnMs = 5 * 60_000;

/** Where there is one machine, its own queue is enough. */
export function createTurnStore(db: Db, id: string): TurnStore {
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
              column.or([
                column("turn.machine", "=", id),
                column("turn.until", "<", atDatabase),
                sql<SqlBool>`not ${isAlive("turn.machine")}`,
              ]),
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
