import type { CompiledQuery, Transaction } from "kysely";
import type { Effects } from "../../changes/ports.ts";
import { type Database, isPostgres } from "../db/database.ts";
import type { Transition } from "../history/history-chain.ts";
import {
  appendInOneStatement,
  appendTransition,
  guardName,
  newEntityName,
  type Part,
  requireHead,
  unnamed,
} from "../history/transition-table.ts";
import { prepareNewEntity, rememberEntities } from "./directory/entity-table.ts";
import { prepareJobs, scheduleJobs } from "./job-table.ts";
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
  const messages = prepareMessages(trx, outbox, transition.at);
  const receipt = receiptId === undefined ? undefined : { receiptId, instance };
  if (!isPostgres(trx)) return appendTransition(trx, transition, [...messages, ...prepareJobs(trx, jobs)], receipt);
  await Promise.all([scheduleJobs(trx, jobs), appendTransition(trx, transition, messages, receipt)]);
}

/**
 * The same on PostgreSQL in one statement, beside that of the jobs, and together with the statement that alters the change. False,
 * with nothing recorded, if that alters none: then the transaction must be rolled back.
 */
export async function recordTogether(
  trx: Transaction<Database>,
  transition: Transition,
  altered: CompiledQuery,
  { entities = [], outbox = [], jobs = [] }: Omit<Effects, "receiptId">,
): Promise<boolean> {
  const [entity, ...others] = entities;
  const added = entity && others.length === 0 ? prepareNewEntity(trx, entity) : undefined;
  if (!added) await rememberEntities(trx, entities);
  const [first, ...more] = added ?? [];
  const parts: readonly Part[] = [
    { name: guardName, query: altered },
    ...(first ? [{ name: newEntityName, query: first }] : []),
    ...unnamed([...more, ...prepareMessages(trx, outbox, transition.at)]),
  ];
  const [, appended] = await Promise.all([scheduleJobs(trx, jobs), appendInOneStatement(trx, transition, parts)]);
  if (!appended) {
    await requireHead(trx);
    return false;
  }
  // It was known already: what it said is compared with the answer.
  if (first && appended.entities === 0) await rememberEntities(trx, entities);
  return true;
}
