import { randomUUID } from "node:crypto";
import type {
  ApprovalStore,
  ChangeStore,
  DeliveryStore,
  GroupStore,
  JobStore,
  KnownStore,
  MachineStore,
  TurnStore,
} from "../changes/ports.ts";
import { createApprovalStore } from "./approval-store.ts";
import { type Backlog, readBacklog } from "./backlog.ts";
import { createChangeStore } from "./change-table.ts";
import { isPostgres } from "./database.ts";
import { createDeliveryStore } from "./delivery-table.ts";
import { holdFile } from "./hold-file.ts";
import { openJobStore } from "./job-table.ts";
import { createKnownStore } from "./known-table.ts";
import { createMachineStore } from "./machine-table.ts";
import { migrate } from "./migrate.ts";
import { type DatabaseEvents, isPostgresUrl, openDatabase } from "./open-database.ts";
import type { OnUnreadable } from "./read-rows.ts";
import { createGroupStore } from "./resource-group-table.ts";
import { createTurnStore } from "./turn-table.ts";

export interface Store
  extends ApprovalStore,
    ChangeStore,
    DeliveryStore,
    GroupStore,
    JobStore,
    KnownStore,
    MachineStore,
    TurnStore {
  /** Whether other machines may use the same database. */
  readonly isShared: boolean;
  backlog(now: number): Promise<Backlog>;
  close(): Promise<void>;
}

export interface StoreOptions extends DatabaseEvents {
  readonly now?: () => number;
  readonly onUnreadable?: OnUnreadable;
  /** Whether a Curfew is to run on it: on one SQLite file only one does at a time, and another is refused. */
  readonly isToRun?: boolean;
}

/** Opens the database (a SQLite file's path, or a PostgreSQL URL) and brings it to this version's schema. */
export async function openStore(
  database: string,
  { now = Date.now, onUnreadable = () => undefined, isToRun = false, ...events }: StoreOptions = {},
): Promise<Store> {
  const letGo = isToRun && !isPostgresUrl(database) ? await holdFile(database) : () => undefined;
  const db = openDatabase(database, events);
  const close = () => db.destroy().finally(letGo);
  let jobs: JobStore;
  try {
    await migrate(db);
    jobs = await openJobStore(db, now);
  } catch (error) {
    await close();
    throw error;
  }
  const machine = randomUUID();
  const store = {
    ...createChangeStore(db, machine, onUnreadable),
    ...createApprovalStore(db, machine),
    ...createDeliveryStore(db, onUnreadable),
    ...createKnownStore(db, now, onUnreadable),
    ...createGroupStore(db, onUnreadable),
    ...jobs,
    ...createMachineStore(db, machine),
    ...createTurnStore(db, machine),
  };
  return { ...store, isShared: isPostgres(db), backlog: (at) => readBacklog(db, at), close };
}
