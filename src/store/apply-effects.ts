import type { Transaction } from "kysely";
import type { Effects } from "../changes/ports.ts";
import type { Database } from "./database.ts";
import { queueDeliveries } from "./delivery-table.ts";
import { scheduleJobs } from "./job-table.ts";
import { rememberThings } from "./known-table.ts";

/** Stores what a transition brings along, in the transaction that makes it. */
export async function applyEffects(
  trx: Transaction<Database>,
  { learned = [], deliveries = [], jobs = [] }: Effects,
  at: number,
): Promise<void> {
  await rememberThings(trx, learned);
  await queueDeliveries(trx, deliveries, at);
  await scheduleJobs(trx, jobs);
}
