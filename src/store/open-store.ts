import type { ChangeStore, DeliveryStore, GroupStore, JobStore, KnownStore } from "../changes/ports.ts";
import { createChangeStore } from "./change-table.ts";
import { createDeliveryStore } from "./delivery-table.ts";
import { openJobStore } from "./job-table.ts";
import { createKnownStore } from "./known-table.ts";
import { migrate } from "./migrate.ts";
import { openSqlite } from "./open-sqlite.ts";
import type { OnUnreadable } from "./read-rows.ts";
import { createGroupStore } from "./resource-group-table.ts";

export interface Store extends ChangeStore, DeliveryStore, GroupStore, JobStore, KnownStore {
  close(): Promise<void>;
}

export interface StoreOptions {
  readonly now?: () => number;
  readonly onUnreadable?: OnUnreadable;
}

/** Opens the SQLite file and brings it to this version's schema. */
export async function openStore(
  file: string,
  { now = Date.now, onUnreadable = () => undefined }: StoreOptions = {},
): Promise<Store> {
  const db = openSqlite(file);
  let jobs: JobStore;
  try {
    await migrate(db);
    jobs = await openJobStore(db, now);
  } catch (error) {
    await db.destroy();
    throw error;
  }
  const store = {
    ...createChangeStore(db, onUnreadable),
    ...createDeliveryStore(db, onUnreadable),
    ...createKnownStore(db, now, onUnreadable),
    ...createGroupStore(db, onUnreadable),
    ...jobs,
  };
  return { ...store, close: () => db.destroy() };
}
