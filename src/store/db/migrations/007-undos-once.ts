import { type Kysely, sql } from "kysely";
import type { Database } from "../database.ts";

/**
 * The undos that were begun before there were once keys, and are not over, hold theirs, so that none begins beside them. Of several
 * that take the same change back the oldest does, unless another has it already.
 */
export async function undosOnce(db: Kysely<Database>): Promise<void> {
  const isOpen = (table: string) =>
    sql`${sql.ref(`${table}.state`)} in ('awaiting-approval', 'approved', 'performing')`;
  await sql`
    update change set once_key = 'undo:' || undoes
    where undoes is not null and once_key is null and ${isOpen("change")}
      and not exists (select 1 from change holder where holder.once_key = 'undo:' || change.undoes)
      and not exists (
        select 1 from change older
        where older.undoes = change.undoes and ${isOpen("older")}
          and (older.requested_at, older.id) < (change.requested_at, change.id)
      )
  `.execute(db);
}
