import { randomUUID } from "node:crypto";
import type { ConfigRequestStore } from "../changes/config-requests.ts";
import type {
  ApprovalStore,
  ChangeStore,
  OutboxStore,
  GroupStore,
  JobStore,
  DirectoryStore,
  InstanceStore,
  LockStore,
} from "../changes/ports.ts";
import { createApprovalStore } from "./approval-store.ts";
import { type Backlog, readBacklog } from "./backlog.ts";
import { createChangeStore } from "./change-table.ts";
import { createConfigRequestStore } from "./config-request-table.ts";
import { isPostgres } from "./database.ts";
import { createOutboxStore } from "./delivery-table.ts";
import { holdFile } from "./hold-file.ts";
import { createInstances } from "./instances.ts";
import { openJobStore } from "./job-table.ts";
import { createDirectoryStore } from "./known-table.ts";
import { migrate } from "./migrate.ts";
import { type DatabaseEvents, isPostgresUrl, openDatabase } from "./open-database.ts";
import type { OnUnreadable } from "./read-rows.ts";
import { createGroupStore } from "./resource-group-table.ts";
import { createStallMeter } from "./stall-meter.ts";
import { createLockStore } from "./turn-table.ts";
import { createWriteProbe } from "./write-probe.ts";

export interface Store
  extends ApprovalStore,
    ChangeStore,
    ConfigRequestStore,
    OutboxStore,
    GroupStore,
    JobStore,
    DirectoryStore,
    InstanceStore,
    LockStore {
  /** Whether other instances may use the same database. */
  readonly isShared: boolean;
  backlog(now: number): Promise<Backlog>;
  /** How long the database has kept Curfew waiting in all, in ms. */
  stalledMs(): number;
  /** Whether what people ask for could be recorded, as it was found within the last seconds. */
  canWrite(): Promise<boolean>;
  close(): Promise<void>;
}

export interface StoreOptions extends DatabaseEvents {
  readonly now?: () => number;
  /** A clock that is never set. */
  readonly elapsedMs?: () => number;
  readonly onUnreadable?: OnUnreadable;
  /** Whether a Curfew is to run on it: on one SQLite file only one does at a time, and another is refused. */
  readonly isToRun?: boolean;
}

/** Opens the database (a SQLite file's path, or a PostgreSQL URL) and brings it to this version's schema. */
export async function openStore(
  database: string,
  {
    now = Date.now,
    elapsedMs = monotonicMs,
    onUnreadable = () => undefined,
    isToRun = false,
    ...events
  }: StoreOptions = {},
): Promise<Store> {
  const letGo = isToRun && !isPostgresUrl(database) ? await holdFile(database) : () => undefined;
  const id = randomUUID();
  const stalls = createStallMeter();
  const db = openDatabase(database, {
    ...events,
    stalls,
    onQuery: (...query) => {
      events.onQuery?.(...query);
      probe.noteFailure(query[3]);
    },
  });
  const probe = createWriteProbe(db, id);
  const close = () => db.destroy().finally(letGo);
  let jobs: JobStore;
  try {
    await migrate(db);
    jobs = await openJobStore(db, now, elapsedMs);
  } catch (error) {
    await close();
    throw error;
  }
  const instances = createInstances(db, id, elapsedMs);
  const store = {
    ...createChangeStore(db, instances, onUnreadable),
    ...createApprovalStore(db, instances.id),
    ...createOutboxStore(db, onUnreadable),
    ...createDirectoryStore(db, now, onUnreadable),
    ...createGroupStore(db, onUnreadable),
    ...jobs,
    beat: instances.beat,
    leave: instances.leave,
    ...createLockStore(db, instances),
    ...createConfigRequestStore(db),
  };
  const { stalledMs } = stalls;
  const { canWrite } = probe;
  return { ...store, isShared: isPostgres(db), backlog: (at) => readBacklog(db, at), stalledMs, canWrite, close };
}

const monotonicMs = (): number => performance.now();
