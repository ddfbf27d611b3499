import type { Transaction } from "kysely";
import type { Notice } from "../../changes/change.ts";
import type { Database } from "../db/database.ts";
import { noticeFacts, outcomeFacts } from "../history/history-facts.ts";
import { appendTransition } from "../history/transition-table.ts";

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
