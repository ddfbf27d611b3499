import { randomUUID } from "node:crypto";
import { type Kysely, sql } from "kysely";
import type { OnCommitted } from "../changes/ports.ts";
import { within } from "../time/within.ts";
import { type Database, type Db, isPostgres } from "./db/database.ts";
import { migrate } from "./db/migrate.ts";
import { type DatabaseEvents, isPostgresUrl, openDatabase } from "./db/open-database.ts";
import type { OnUnreadable } from "./db/read-rows.ts";
import { holdFile } from "./db/sqlite/open-sqlite.ts";
import { listenToCommits } from "./db/transact.ts";
import { pruneHistory } from "./history/prune-history.ts";
import { createAuditStore, type HistoryListener, listenToHistory } from "./history/transition-table.ts";
import { describeBreak, verifyHistory } from "./history/verify-history.ts";
import { createApprovalStore } from "./tables/approval-store.ts";
import { createBelongingStore } from "./tables/belonging-table.ts";
import { cleanBulletins, createBulletinStore } from "./tables/bulletin-table.ts";
import { createChangeStore } from "./tables/change-table.ts";
import { createClockCheck } from "./tables/claim-at-pace.ts";
import { createConfigRequestStore } from "./tables/config-request-table.ts";
import { createDirectoryStore, createMachineList } from "./tables/directory/entity-table.ts";
import { createExclusionRecords } from "./tables/exclusion-records.ts";
import { createInstances, createLockStore } from "./tables/instance-table.ts";
import { createJobStore } from "./tables/job-table.ts";
import { cleanOutbox, createOutboxStore } from "./tables/outbox-table.ts";
import { clearPeopleList, createPeopleListStore } from "./tables/people-list-table.ts";
import { createCallerRequestStore, createHeardStore, createReceiptStore } from "./tables/receipt-table.ts";
import { createGroupStore } from "./tables/resource-group-table.ts";
import { createOwnWarningStore, createWatchTable } from "./tables/watch-table.ts";

export type Store = Awaited<ReturnType<typeof openStore>>;

export interface StoreOptions extends DatabaseEvents {
  readonly now?: () => number;
  /** A monotonic clock. */
  readonly elapsedMs?: () => number;
  readonly onUnreadable?: OnUnreadable;
  /** Holds a SQLite file for this process; a second Curfew on the same file is refused. */
  readonly isToRun?: boolean;
  readonly history?: HistoryListener | undefined;
}

/** Opens the database (a SQLite file's path, or a PostgreSQL URL) and brings it to this version's schema. */
export async function openStore(
  database: string,
  {
    now = Date.now,
    elapsedMs = monotonicMs,
    onUnreadable = () => undefined,
    isToRun = false,
    history,
    ...events
  }: StoreOptions = {},
) {
  const release = isToRun && !isPostgresUrl(database) ? await holdFile(database) : () => undefined;
  const id = randomUUID();
  const db = openDatabase(database, {
    ...events,
    onQuery: (...query) => {
      events.onQuery?.(...query);
      probe.noteFailure(query[3]);
    },
  });
  if (history) listenToHistory(db, history);
  const probe = createWriteProbe(db, id, now);
  const close = () => db.destroy().finally(release);
  try {
    await migrate(db, requireIntactHistory);
  } catch (error) {
    await close();
    throw error;
  }
  const instances = createInstances(db, id, elapsedMs);
  const checkClock = createClockCheck(db, elapsedMs);
  return {
    ...createChangeStore(db, instances, onUnreadable),
    ...createApprovalStore(db, instances.id),
    ...createOutboxStore(db, checkClock, onUnreadable),
    ...createDirectoryStore(db, now, onUnreadable),
    ...createGroupStore(db, instances.id, onUnreadable),
    ...createMachineList(db, onUnreadable),
    ...createJobStore(db, now, checkClock),
    beat: instances.beat,
    leave: instances.leave,
    ...createLockStore(db, instances),
    ...createBelongingStore(db, id),
    ...createConfigRequestStore(db),
    ...createAuditStore(db),
    clean: (before: number, limit: number) => clean(db, before, limit),
    pruneHistory: (before: number) => pruneHistory(db, before, now),
    ...createBulletinStore(db, onUnreadable),
    ...createOwnWarningStore(db),
    ...createCallerRequestStore(db),
    ...createWatchTable(db, instances.id, onUnreadable),
    ...createExclusionRecords(db),
    ...createReceiptStore(db, instances, onUnreadable),
    ...createHeardStore(db, instances, now),
    peopleList: createPeopleListStore(db),
    /** Whether other instances may use the same database. */
    isShared: isPostgres(db),
    onCommitted: (run: OnCommitted) => listenToCommits(db, run),
    backlog: (at: number) => readBacklog(db, at),
    canWrite: probe.canWrite,
    close,
  };
}

class BrokenHistoryError extends Error {
  readonly code = "BrokenHistory";
  constructor(broken: string) {
    super(`${broken} Nothing was changed: restore a backup with an intact history, or go on with the former version.`);
    this.name = "BrokenHistoryError";
  }
}

async function requireIntactHistory(db: Kysely<Database>): Promise<void> {
  // On SQLite nobody else writes during a transaction.
  if (isPostgres(db)) await sql`lock table history_head in exclusive mode`.execute(db);
  const check = await verifyHistory(db);
  if (check.kind === "broken") throw new BrokenHistoryError(describeBreak(check));
}

const monotonicMs = (): number => performance.now();

/** So that asking, however often, writes no more than this. */
const probeAgeMs = 5000;
/** A database that asks for longer is not one that a command could be recorded in. */
const probeTimeoutMs = 3000;
/** A probe is small, and may succeed where there is no space for more. */
const fullForMs = 15_000;

/** Writes a row and removes it, which needs what every other write needs. `instance`: this instance's id. */
function createWriteProbe(db: Db, instance: string, now: () => number) {
  const id = `probe ${instance}`;
  let latest: { readonly at: number; readonly result: Promise<boolean> } | undefined;
  let fullAt: number | undefined;
  const probe = async (): Promise<boolean> => {
    const written = db.transaction().execute(async (trx) => {
      await trx.insertInto("instance").values({ id, seen_at: 0 }).execute();
      await trx.deleteFrom("instance").where("id", "=", id).execute();
    });
    const isWritten = written.then(
      () => true,
      () => false,
    );
    return (await within(probeTimeoutMs, isWritten)) ?? false;
  };
  return {
    /** Whether what people ask for could be recorded, as it was found within the last seconds. */
    canWrite: async () => {
      if (fullAt !== undefined && now() - fullAt < fullForMs) return false;
      if (latest === undefined || Math.abs(now() - latest.at) > probeAgeMs) latest = { at: now(), result: probe() };
      return latest.result;
    },
    /** Takes note of a statement that failed: a full disk fails others too. */
    noteFailure: (error: unknown) => {
      if (saysThatDiskIsFull(error)) fullAt = now();
    },
  };
}

/** PostgreSQL: disk_full, io_error. SQLite: IOERR, FULL, whose codes may have more in their upper bits. */
const postgresCodes: ReadonlySet<unknown> = new Set(["53100", "58030"]);
const sqliteCodes: ReadonlySet<number> = new Set([10, 13]);

function saysThatDiskIsFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ("errcode" in error && typeof error.errcode === "number") return sqliteCodes.has(error.errcode % 256);
  return "code" in error && postgresCodes.has(error.code);
}

/** The work that waits, for metrics. */
async function readBacklog(db: Db, now: number) {
  const [announcements, approvals, jobs] = await Promise.all([
    db
      .selectFrom("outbox")
      .select(({ fn }) => [fn.countAll<number>().as("count"), fn.min<number | null>("queued_at").as("oldest")])
      .where("state", "=", "pending")
      .executeTakeFirstOrThrow(),
    db
      .selectFrom("change")
      .select(({ fn }) => fn.countAll<number>().as("count"))
      .where("state", "=", "awaiting-approval")
      // Makes the partial index apply.
      .where("settled_at", "is", null)
      .executeTakeFirstOrThrow(),
    db
      .selectFrom("job")
      .select(({ fn }) => fn.min<number | null>("due_at").as("oldest"))
      .where("next_at", "<=", now)
      .executeTakeFirstOrThrow(),
  ]);
  return {
    announcements: announcements.count,
    /** When the oldest of them was queued, in epoch ms. */
    oldestAnnouncementAt: announcements.oldest ?? undefined,
    approvals: approvals.count,
    /** When the most overdue job was due, in epoch ms. A job that a worker has is not overdue. */
    overdueSince: jobs.oldest ?? undefined,
  };
}

/** Deletes up to `limit` rows of each table that were finished before this time, and that nothing redraws. Gives the most deleted of one table. */
async function clean(db: Db, before: number, limit: number): Promise<number> {
  const heard = db.selectFrom("heard_message").select("key").where("at", "<", before).limit(limit);
  await clearPeopleList(db);
  const asked = db.selectFrom("caller_request").select("id").where("received_at", "<", before).limit(limit);
  return Math.max(
    await cleanOutbox(db, before, limit),
    await cleanBulletins(db, before, limit),
    (await db.deleteFrom("heard_message").where("key", "in", heard).returning("key").execute()).length,
    (await db.deleteFrom("caller_request").where("id", "in", asked).returning("id").execute()).length,
  );
}
