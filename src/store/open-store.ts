import type { ChangeStore, DeliveryStore, KnownStore } from "../changes/ports.ts";
import { createChangeStore } from "./change-table.ts";
import { createDeliveryStore } from "./delivery-table.ts";
import { createKnownStore } from "./known-table.ts";
import { migrate } from "./migrate.ts";
import { openSqlite } from "./open-sqlite.ts";

export interface Store extends ChangeStore, DeliveryStore, KnownStore {
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
  const store = { ...createChangeStore(db), ...createDeliveryStore(db), ...createKnownStore(db) };
  return { ...store, close: () => db.destroy() };
}
