import { randomUUID } from "node:crypto";
import type { BulletinStore } from "../changes/bulletin.ts";
import type { CallerRequestStore } from "../changes/caller-requests.ts";
import type { ConfigRequestStore } from "../changes/config-requests.ts";
import type { ExclusionRecords } from "../changes/hours/kept-running.ts";
import type { ApprovalStore, ChangeStore, GroupStore, InstanceStore, JobStore, OutboxStore } from "../changes/ports.ts";
import type { OwnWarningStore } from "../changes/queries/own-warnings.ts";
import type { HeardStore, ReceiptStore } from "../changes/receipts.ts";
import type { DirectoryStore } from "../directory/directory.ts";
import type { WatchStore } from "../watch/watch-store.ts";
import { isPostgres } from "./db/database.ts";
import { takeOverFormerJobs } from "./db/former-jobs.ts";
import { migrate } from "./db/migrate.ts";
import { type DatabaseEvents, isPostgresUrl, openDatabase } from "./db/open-database.ts";
import type { OnUnreadable } from "./db/read-rows.ts";
import { holdFile } from "./db/sqlite/hold-file.ts";
import { createWriteProbe } from "./db/write-probe.ts";
import { createApprovalStore } from "./tables/approval-store.ts";
import { type Backlog, readBacklog } from "./tables/backlog.ts";
import { createBulletinStore } from "./tables/bulletin-table.ts";
import { createCallerRequestStore } from "./tables/caller-request-table.ts";
import { createChangeStore } from "./tables/change-table.ts";
import { createConfigRequestStore } from "./tables/config-request-table.ts";
import { createDirectoryStore } from "./tables/directory/entity-table.ts";
import { createExclusionRecords } from "./tables/exclusion-records.ts";
import { createHeardStore } from "./tables/heard-table.ts";
import { createInstances, createLockStore } from "./tables/instance-table.ts";
import { createJobStore } from "./tables/job-table.ts";
import { createOutboxStore } from "./tables/outbox-table.ts";
import { createOwnWarningStore } from "./tables/own-warning-table.ts";
import { createReceiptStore } from "./tables/receipt-table.ts";
import { createGroupStore } from "./tables/resource-group-table.ts";
import { createWatchTable } from "./tables/watch-table.ts";

export interface Store
  extends ApprovalStore,
    BulletinStore,
    ChangeStore,
    ConfigRequestStore,
    OutboxStore,
    OwnWarningStore,
    CallerRequestStore,
    GroupStore,
    JobStore,
    DirectoryStore,
    ExclusionRecords,
    HeardStore,
    InstanceStore,
    ReceiptStore,
    WatchStore {
  /** Whether other instances may use the same database. */
  readonly isShared: boolean;
  backlog(now: number): Promise<Backlog>;
  /** Whether what people ask for could be recorded, as it was found within the last seconds. */
  canWrite(): Promise<boolean>;
  close(): Promise<void>;
}

export interface StoreOptions extends DatabaseEvents {
  readonly now?: () => number;
  /** A monotonic clock. */
  readonly elapsedMs?: () => number;
  readonly onUnreadable?: OnUnreadable;
  /** Holds a SQLite file for this process; a second Curfew on the same file is refused. */
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
  const release = isToRun && !isPostgresUrl(database) ? await holdFile(database) : () => undefined;
  const id = randomUUID();
  const db = openDatabase(database, {
    ...events,
    onQuery: (...query) => {
      events.onQuery?.(...query);
      probe.noteFailure(query[3]);
    },
  });
  const probe = createWriteProbe(db, id, now);
  const close = () => db.destroy().finally(release);
  try {
    await migrate(db);
    if (isPostgres(db)) await takeOverFormerJobs(db);
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
    ...createGroupStore(db, instances.id, onUnreadable),
    ...createJobStore(db, now, elapsedMs),
    beat: instances.beat,
    leave: instances.leave,
    ...createLockStore(db, instances),
    ...createConfigRequestStore(db),
    ...createBulletinStore(db, onUnreadable),
    ...createOwnWarningStore(db),
    ...createCallerRequestStore(db),
    ...createWatchTable(db, instances.id, onUnreadable),
    ...createExclusionRecords(db),
    ...createReceiptStore(db, instances, onUnreadable),
    ...createHeardStore(db, instances, now),
  };
  const { canWrite } = probe;
  return { ...store, isShared: isPostgres(db), backlog: (at) => readBacklog(db, at), canWrite, close };
}

const monotonicMs = (): number => performance.now();
