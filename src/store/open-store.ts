import type { ChangeStore, DeliveryStore, GroupStore, JobStore, KnownStore } from "../changes/ports.ts";
import { createChangeStore } from "./change-table.ts";
import { createDeliveryStore } from "./delivery-table.ts";
import { openJobStore } from "./job-table.ts";
import { createKnownStore } from "./known-table.ts";
import { migrate } from "./migrate.ts";
import { openDatabase } from "./open-database.ts";
import type { OnConnectionLost } from "./open-postgres.ts";
import type { OnUnreadable } from "./read-rows.ts";
import { createGroupStore } from "./resource-group-table.ts";

export interface Store extends ChangeStore, DeliveryStore, GroupStore, JobStore, KnownStore {
  close(): Promise<void>;
}

export interface StoreOptions {
  readonly now?: () => number;
  readonly onUnreadable?: OnUnreadable;
  readonly onConnectionLost?: OnConnectionLost;
}

/** Opens the database (a SQLite file's path, or a PostgreSQL URL) and brings it to this version's schema. */
export async function openStore(
  database: string,
  { now = Date.now, onUnreadable = () => undefined, onConnectionLost }: StoreOptions = {},
): Promise<Store> {
  const db = openDatabase(database, onConnectionLost);
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
