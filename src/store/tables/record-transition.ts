import type { Transaction } from "kysely";
import type { Effects } from "../../changes/ports.ts";
import type { Database } from "../db/database.ts";
import type { Transition } from "../history/history-chain.ts";
import { appendTransition } from "../history/transition-table.ts";
import { rememberEntities } from "./entity-table.ts";
import { prepareJobs } from "./job-table.ts";
import { prepareMessages } from "./outbox-table.ts";

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
  await rememberEntities(trx, entities);
  const alongside = [...prepareMessages(trx, outbox, transition.at), ...(await prepareJobs(trx, jobs))];
  const receipt = receiptId === undefined ? undefined : { receiptId, instance };
  await appendTransition(trx, transition, alongside, receipt);
}
