import type { Selectable, Transaction } from "kysely";
import { type ApproverDecision, type ChangeState, isOver } from "../../changes/change.ts";
import type { ApprovalStore, Effects, Move, NewOutboxMessage } from "../../changes/ports.ts";
import type { ChangeTable, Database, Db } from "../db/database.ts";
import { inTransaction } from "../db/in-transaction.ts";
import { decisionFacts, outcomeFacts } from "../history/history-facts.ts";
import { approvalOf, onceKeyIn } from "./change-row.ts";
import { countApprovals, insertDecision } from "./decision-table.ts";
import { queueMessages } from "./outbox-table.ts";
import { recordTransition } from "./record-transition.ts";

/** `instance`: who performs what is brought to be performed here. */
export function createApprovalStore(db: Db, instance: string): ApprovalStore {
  return {
    decide: (id, decision, effects, beforeCommit) =>
      inTransaction(db, (trx) => decide(trx, id, decision, effects), beforeCommit),
    move: (id, step, effects = {}, beforeCommit) =>
      inTransaction(db, (trx) => move(trx, instance, id, step, effects), beforeCommit),
    remind: (reminder, since, now) => db.transaction().execute((trx) => remind(trx, reminder, since, now)),
  };
}

async function decide(
  trx: Transaction<Database>,
  changeId: string,
  decision: ApproverDecision,
  effects: (state: ChangeState) => Effects,
): Promise<ChangeState | undefined> {
  const { verdict, at } = decision;
  const change = await holdAwaiting(trx, changeId);
  const decided = change && (await insertDecision(trx, changeId, decision));
  if (!decided) return undefined;
  const isEnough = (await countApprovals(trx, changeId)) >= (approvalOf(change)?.count ?? 1);
  const reached = isEnough ? "approved" : "awaiting-approval";
  const state = verdict === "denied" ? "denied" : reached;
  const row = await trx
    .updateTable("change")
    .set({ state, settled_at: isOver(state) ? at : null, ...onceKeyIn(state) })
    .where("id", "=", changeId)
    .returningAll()
    .executeTakeFirstOrThrow();
  const facts = { decision: decisionFacts(decided), outcome: outcomeFacts(row) };
  await recordTransition(trx, { changeId, state, at, facts }, effects(state));
  return state;
}

/** Writes the row, so that whoever decides at the same moment waits for this transaction. */
function holdAwaiting(trx: Transaction<Database>, changeId: string): Promise<Selectable<ChangeTable> | undefined> {
  return trx
    .updateTable("change")
    .set({ state: "awaiting-approval" })
    .where("id", "=", changeId)
    .where("state", "=", "awaiting-approval")
    .returningAll()
    .executeTakeFirst();
}

async function move(
  trx: Transaction<Database>,
  instance: string,
  changeId: string,
  { from, to: state, at, error = null }: Move,
  effects: Effects,
): Promise<boolean> {
  const row = await trx
    .updateTable("change")
    .set({
      state,
      performer: instance,
      error_code: error?.code ?? null,
      error_message: error?.message ?? null,
      settled_at: isOver(state) ? at : null,
      ...onceKeyIn(state),
    })
    .where("id", "=", changeId)
    .where("state", "in", from)
    .returningAll()
    .executeTakeFirst();
  if (!row) return false;
  await recordTransition(trx, { changeId, state, at, facts: { outcome: outcomeFacts(row) } }, effects);
  return true;
}

async function remind(
  trx: Transaction<Database>,
  reminder: NewOutboxMessage,
  since: number,
  now: number,
): Promise<void> {
  if (!(await holdAwaiting(trx, reminder.changeId))) return;
  const reminded = await trx
    .selectFrom("outbox")
    .select("id")
    .where("change_id", "=", reminder.changeId)
    .where("kind", "=", reminder.kind)
    .where("queued_at", ">=", since)
    .executeTakeFirst();
  if (!reminded) await queueMessages(trx, [reminder], now);
}
