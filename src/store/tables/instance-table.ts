import { type ExpressionBuilder, type Kysely, type SqlBool, sql } from "kysely";
import { type Database, type Db, isPostgres } from "../db/database.ts";
import type { Instances } from "./instances.ts";

/** The changes that are being performed by a instance that is gone. Where there is one instance, that is any before this one. */
export function abandonedChanges(db: Db, instances: Instances) {
  return db.selectFrom("change").selectAll().where(isAbandoned(db, instances)).orderBy("requested_at").orderBy("id");
}

export function isAbandoned(db: Kysely<Database>, { id, isAlive }: Pick<Instances, "id" | "isAlive">) {
  return (column: ExpressionBuilder<Database, "change">) =>
    column.and([
      column("state", "=", "performing"),
      column("settled_at", "is", null),
      column.or([column("performer", "is", null), column("performer", "!=", id)]),
      ...(isPostgres(db) ? [sql<SqlBool>`not ${isAlive("change.performer")}`] : []),
    ]);
}
