import type { ChangeStore, DeliveryStore, GroupStore, KnownStore } from "../changes/ports.ts";
import { createChangeStore } from "./change-table.ts";
import { createDeliveryStore } from "./delivery-table.ts";
import { createKnownStore } from "./known-table.ts";
import { migrate } from "./migrate.ts";
import { openSqlite } from "./open-sqlite.ts";
import { createGroupStore } from "./resource-group-table.ts";

export interface Store extends ChangeStore, DeliveryStore, GroupStore, KnownStore {
  close(): Promise<void>;
}

/** Opens the SQLite file and brings it to this version's schema. */
export async function openStore(file: string): Promise<Store> {
  const db = openSqlite(file);
  try {
    await migrate(db);
  } catch (error) {
    await db.destroy();
    throw error;
  }
  const store = {
    ...createChangeStore(db),
    ...createDeliveryStore(db),
    ...createKnownStore(db),
    ...createGroupStore(db),
  };
  return { ...store, close: () => db.destroy() };
}
