import type { Transaction } from "kysely";
import type { Effects } from "../../changes/ports.ts";
import { TakenOverError } from "../../changes/receipts.ts";
import type { Database } from "../db/database.ts";
import { together } from "../db/transact.ts";
import type { Transition } from "../history/history-chain.ts";
import { appendTransition } from "../history/transition-table.ts";
import { rememberEntities } from "./directory/entity-table.ts";
import { scheduleJobs } from "./job-table.ts";
import { queueMessages } from "./outbox-table.ts";
import { closeReceipt } from "./receipt-table.ts";

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
