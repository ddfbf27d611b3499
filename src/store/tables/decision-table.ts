import type { Kysely, Selectable, Transaction } from "kysely";
import type { ApproverDecision } from "../../changes/change.ts";
import type { ChangeTable, Database, DecisionTable } from "../db/database.ts";

/** What was said of these changes, in the order it came. */
export async function decisionsOf(
  db: Kysely<Database>,
  changes: readonly Pick<Selectable<ChangeTable>, "id" | "approval_json">[],
): Promise<ReadonlyMap<string, readonly Selectable<DecisionTable>[]>> {
  const ids = changes.filter(({ approval_json: approval }) => approval !== null).map(({ id }) => id);
  const decided = new Map<string, readonly Selectable<DecisionTable>[]>();
  if (ids.length === 0) return decided;
  const rows = await db
    .selectFrom("decision")
    .selectAll()
    .where("change_id", "in", ids)
    .orderBy("at")
    .orderBy("approver_id")
    .execute();
  for (const row of rows) decided.set(row.change_id, [...(decided.get(row.change_id) ?? []), row]);
  return decided;
}

/** Keeps what an approver says; undefined when they have said something of this change before. */
export async function insertDecision(
  trx: Transaction<Database>,
  changeId: string,
  { approverId, approverName, verdict, note, at }: ApproverDecision,
): Promise<Selectable<DecisionTable> | undefined> {
  return trx
    .insertInto("decision")
    .values({ change_id: changeId, approver_id: approverId, approver_name: approverName, verdict, note, at })
    .onConflict((conflict) => conflict.columns(["change_id", "approver_id"]).doNothing())
    .returningAll()
    .executeTakeFirst();
}

/** How many have said yes to it. */
export async function countApprovals(trx: Transaction<Database>, changeId: string): Promise<number> {
  const { count } = await trx
    .selectFrom("decision")
    .select((select) => select.fn.countAll().as("count"))
    .where("change_id", "=", changeId)
    .where("verdict", "=", "approved")
    .executeTakeFirstOrThrow();
  return Number(count);
}
