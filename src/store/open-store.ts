import type { ChangeStore, DeliveryStore, GroupStore, KnownStore } from "../changes/ports.ts";
import { createChangeStore } from "./change-table.ts";
import { createDeliveryStore } from "./delivery-table.ts";
import { createKnownStore } from "./known-table.ts";
import { migrate } from "./migrate.ts";
import { openDatabase } from "./open-database.ts";
import type { OnConnectionLost } from "./open-postgres.ts";
import type { OnUnreadable } from "./read-rows.ts";
import { createGroupStore } from "./resource-group-table.ts";

export interface Store extends ChangeStore, DeliveryStore, GroupStore, KnownStore {
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
  try {
    await migrate(db);
  } catch (error) {
    await db.destroy();
    throw error;
  }
  const store = {
    ...createChangeStore(db, onUnreadable),
    ...createDeliveryStore(db, onUnreadable),
    ...createKnownStore(db, now, onUnreadable),
    ...createGroupStore(db, onUnreadable),
  };
  return { ...store, close: () => db.destroy() };
}
