import { type ExpressionBuilder, type Kysely, type RawBuilder, type SqlBool, sql } from "kysely";
import type { MachineStore } from "../changes/ports.ts";
import { type Database, type Db, isPostgres } from "./database.ts";

/** A machine that has not been seen for so long is taken for gone. */
const goneAfterMs = 30_000;

/** By the database's clock, since those of the machines differ. */
export const atDatabase: RawBuilder<number> = sql`(extract(epoch from clock_timestamp()) * 1000)::bigint`;

/** Where there is one machine, as on SQLite, it has nobody to show itself to. */
export function createMachineStore(db: Db, id: string): MachineStore {
  if (!isPostgres(db)) return { beat: async () => undefined, leave: async () => undefined };
  return {
    beat: async () => {
      await db
        .insertInto("machine")
        .values({ id, seen_at: atDatabase })
        .onConflict((conflict) => conflict.column("id").doUpdateSet({ seen_at: atDatabase }))
        .execute();
      await db.deleteFrom("machine").where("seen_at", "<", sql<number>`${atDatabase} - ${forgottenAfterMs}`).execute();
    },
    leave: async () => {
      await db.deleteFrom("machine").where("id", "=", id).execute();
    },
  };
}

/** Long after whatever it had under way has been settled. */
const forgottenAfterMs = 3_600_000;

/** The changes that are being performed by a machine that is gone. Where there is one machine, that is any before this one. */
export function abandonedChanges(db: Db, id: string) {
  return db.selectFrom("change").selectAll().where(isAbandoned(db, id)).orderBy("asked_at").orderBy("id");
}

export function isAbandoned(db: Kysely<Database>, id: string) {
  return (column: ExpressionBuilder<Database, "change">) =>
    column.and([
      column("state", "=", "performing"),
      column("settled_at", "is", null),
      column.or([column("performer", "is", null), column("performer", "!=", id)]),
      ...(isPostgres(db) ? [sql<SqlBool>`not ${isAlive("change.performer")}`] : []),
    ]);
}

export function isAlive(machine: "change.performer" | "turn.machine"): RawBuilder<SqlBool> {
  return sql`exists (
    select 1 from machine where machine.id = ${sql.ref(machine)} and machine.seen_at > ${atDatabase} - ${goneAfterMs}
  )`;
}
