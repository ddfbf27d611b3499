import type { ApprovalStore, ChangeStore, DeliveryStore, GroupStore, KnownStore } from "../changes/ports.ts";
import { createApprovalStore } from "./approval-store.ts";
import { createChangeStore } from "./change-table.ts";
import { createDeliveryStore } from "./delivery-table.ts";
import { createKnownStore } from "./known-table.ts";
import { migrate } from "./migrate.ts";
import { openSqlite } from "./open-sqlite.ts";
import type { OnUnreadable } from "./read-rows.ts";
import { createGroupStore } from "./resource-group-table.ts";

export interface Store extends ApprovalStore, ChangeStore, DeliveryStore, GroupStore, KnownStore {
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
  try {
    await migrate(db);
  } catch (error) {
    await db.destroy();
    throw error;
  }
  const store = {
    ...createChangeStore(db, onUnreadable),
    ...createApprovalStore(db),
    ...createDeliveryStore(db, onUnreadable),
    ...createKnownStore(db, now, onUnreadable),
    ...createGroupStore(db, onUnreadable),
  };
  return { ...store, close: () => db.destroy() };
}
