import type { Kysely, Selectable, Transaction } from "kysely";
import type { Notice } from "../../changes/change.ts";
import type { ChangeTable, Database, NoticeTable } from "../db/database.ts";
import { noticeFacts, outcomeFacts } from "../history/history-facts.ts";
import { appendTransition } from "../history/transition-table.ts";

/** The notices about these changes, in order. Only users' accounts have owners to notify. */
export async function noticesOf(
  db: Kysely<Database>,
  changes: readonly Pick<Selectable<ChangeTable>, "id" | "subject_kind">[],
): Promise<ReadonlyMap<string, readonly Selectable<NoticeTable>[]>> {
  const ids = changes.filter(({ subject_kind: kind }) => kind === "user").map(({ id }) => id);
  const found = new Map<string, readonly Selectable<NoticeTable>[]>();
  if (ids.length === 0) return found;
  const rows = await db
    .selectFrom("notice")
    .selectAll()
    .where("change_id", "in", ids)
    .orderBy("at")
    .orderBy("user_id")
    .orderBy("about")
    .execute();
  for (const row of rows) found.set(row.change_id, [...(found.get(row.change_id) ?? []), row]);
  return found;
}

/** Records a notice and appends it to the history, unless it was recorded before. Must be the transaction's last step. */
export async function recordNotice(
  trx: Transaction<Database>,
  changeId: string,
  { userId, name, about, isOwner, at }: Notice,
): Promise<void> {
  // Written, and so locked, first: the change's state must not change before the history has it.
  const change = await trx
    .updateTable("change")
    .set(({ ref }) => ({ state: ref("state") }))
    .where("id", "=", changeId)
    .returningAll()
    .executeTakeFirstOrThrow();
  const row = await trx
    .insertInto("notice")
    .values({ change_id: changeId, user_id: userId, name, about, is_owner: isOwner ? 1 : 0, at })
    .onConflict((conflict) => conflict.columns(["change_id", "user_id", "about"]).doNothing())
    .returningAll()
    .executeTakeFirst();
  if (!row) return;
  const facts = { notified: noticeFacts(row), outcome: outcomeFacts(change) };
  await appendTransition(trx, { changeId, state: change.state, at, facts });
}
