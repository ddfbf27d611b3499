import type { ChangeStore, DeliveryStore, GroupStore, KnownStore } from "../changes/ports.ts";
import { type Backlog, readBacklog } from "./backlog.ts";
import { createChangeStore } from "./change-table.ts";
import { createDeliveryStore } from "./delivery-table.ts";
import { createKnownStore } from "./known-table.ts";
import { migrate } from "./migrate.ts";
import { openSqlite } from "./open-sqlite.ts";
import type { OnQuery } from "./query-log.ts";
import type { OnUnreadable } from "./read-rows.ts";
import { createGroupStore } from "./resource-group-table.ts";

export interface Store extends ChangeStore, DeliveryStore, GroupStore, KnownStore {
  backlog(now: number): Promise<Backlog>;
  close(): Promise<void>;
}

export interface StoreOptions {
  readonly now?: () => number;
  readonly onUnreadable?: OnUnreadable;
  readonly onQuery?: OnQuery;
}

/** Opens the SQLite file and brings it to this version's schema. */
export async function openStore(
  file: string,
  { now = Date.now, onUnreadable = () => undefined, onQuery }: StoreOptions = {},
): Promise<Store> {
  const db = openSqlite(file, onQuery);
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
  return { ...store, backlog: (at) => readBacklog(db, at), close: () => db.destroy() };
}
