import type { Selectable, Transaction } from "kysely";
import { type ApproverDecision, type ChangeState, isOver, type Move } from "../../changes/change.ts";
import type { NewOutboxMessage } from "../../changes/outbox-message.ts";
import type { ApprovalStore, Effects } from "../../changes/ports.ts";
import { TakenOverError } from "../../changes/receipts.ts";
import type { Database, Db, DecisionTable } from "../db/database.ts";
import { together, transact } from "../db/transact.ts";
import type { Transition } from "../history/history-chain.ts";
import { decisionFacts, outcomeFacts } from "../history/history-facts.ts";
import { appendTransition } from "../history/transition-table.ts";
import { approvalOf, onceKeyIn } from "./change-row.ts";
import { rememberEntities } from "./directory/entity-table.ts";
import { scheduleJobs } from "./job-table.ts";
import { lockChange, queueMessages } from "./outbox-table.ts";
import { closeReceipt } from "./receipt-table.ts";

/** `instance` becomes the performer of what moves to `performing`. */
export function createApprovalStore(db: Db, instance: string): ApprovalStore {
  return {
    decide: (id, decision, effects, from = ["awaiting-approval"], reached = "approved") =>
      transact(db, (trx) => decide(trx, instance, id, decision, { effects, from, reached })),
    move: (id, step, effects = {}) => transact(db, (trx) => move(trx, instance, id, step, effects)),
    remind: (reminder, since, now) => transact(db, (trx) => remind(trx, reminder, since, now)),
  };
}

interface Deciding {
  readonly effects: (state: ChangeState) => Effects;
  readonly from: readonly ChangeState[];
  /** The state that enough approvals give it. */
  readonly reached: ChangeState;
}

async function decide(
  trx: Transaction<Database>,
  instance: string,
  changeId: string,
  decision: ApproverDecision,
  { effects, from, reached }: Deciding,
): Promise<ChangeState | undefined> {
  const { verdict, at } = decision;
  // A concurrent decision waits for this transaction.
  const change = await lockChange(trx, changeId).where("state", "in", from).executeTakeFirst();
  const decided = change && (await insertDecision(trx, changeId, decision));
  if (!decided) return undefined;
  const isEnough = (await countApprovals(trx, changeId)) >= (approvalOf(change)?.count ?? 1);
  const state = verdict === "denied" ? "denied" : isEnough ? reached : "awaiting-approval";
  const row = await trx
    .updateTable("change")
    .set({ state, settled_at: isOver(state) ? at : null, ...onceKeyIn(state) })
    .where("id", "=", changeId)
    .returningAll()
    .executeTakeFirstOrThrow();
  const facts = { decision: decisionFacts(decided), outcome: outcomeFacts(row) };
  await recordTransition(trx, instance, { changeId, state, at, facts }, effects(state));
  return state;
}

export async function move(
  trx: Transaction<Database>,
  instance: string,
  changeId: string,
  { from, to: state, at, error = null, note }: Move,
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
      ...(note === undefined ? {} : { note }),
      ...onceKeyIn(state),
    })
    .where("id", "=", changeId)
    .where("state", "in", from)
    .returningAll()
    .executeTakeFirst();
  if (!row) return false;
  await recordTransition(trx, instance, { changeId, state, at, facts: { outcome: outcomeFacts(row) } }, effects);
  return true;
}

async function remind(
  trx: Transaction<Database>,
  reminder: NewOutboxMessage,
  since: number,
  now: number,
): Promise<void> {
  const waiting = lockChange(trx, reminder.changeId).where("state", "=", "awaiting-approval");
  if (!(await waiting.executeTakeFirst())) return;
  const reminded = await trx
    .selectFrom("outbox")
    .select("id")
    .where("change_id", "=", reminder.changeId)
    .where("kind", "=", reminder.kind)
    .where("queued_at", ">=", since)
    .executeTakeFirst();
  if (!reminded) await queueMessages(trx, [reminder], now);
}

/** Undefined when the approver has decided about this change before. */
async function insertDecision(
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

async function countApprovals(trx: Transaction<Database>, changeId: string): Promise<number> {
  const { count } = await trx
    .selectFrom("decision")
    .select((select) => select.fn.countAll().as("count"))
    .where("change_id", "=", changeId)
    .where("verdict", "=", "approved")
    .executeTakeFirstOrThrow();
  return Number(count);
}

/**
 * Appends a transition to the history with its effects. Must be the transaction's last step. Throws a TakenOverError if another
 * instance has taken the request's receipt: it took this one for gone, and has handled or answered the request.
 */
export async function recordTransition(
  trx: Transaction<Database>,
  instance: string,
  transition: Transition,
  { entities = [], outbox = [], jobs = [], receiptId }: Effects,
): Promise<void> {
  if (receiptId !== undefined && !(await closeReceipt(trx, receiptId, instance))) throw new TakenOverError();
  await together([rememberEntities(trx, entities), queueMessages(trx, outbox, transition.at), scheduleJobs(trx, jobs)]);
  await appendTransition(trx, transition);
}
