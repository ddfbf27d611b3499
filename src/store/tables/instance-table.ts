import { type ExpressionBuilder, type Kysely, type RawBuilder, type SqlBool, sql } from "kysely";
import type { InstanceStore, LockStore } from "../../changes/ports.ts";
import { type Database, type Db, isPostgres } from "../db/database.ts";
import { clearPeopleList } from "./people-list-table.ts";

/** An instance without a heartbeat for so long counts as gone. */
const goneAfterMs = 30_000;
/** If our own heartbeat is older or younger than it must be by more than this, the clock was set. */
const clockSetMs = 5000;
/** Long after others have settled its changes. */
const forgottenAfterMs = 3_600_000;

/** The database's clock: the instances' clocks differ. */
export const atDatabase: RawBuilder<number> = sql`(extract(epoch from clock_timestamp()) * 1000)::bigint`;

interface Heartbeat {
  readonly id: string;
  readonly seenAt: number;
}

/** The instances that share the database, as one of them sees the others. */
export interface Instances extends InstanceStore {
  readonly id: string;
  /** Reads the other instances' heartbeats. */
  observe(): Promise<void>;
  /** On SQLite, true of any other instance: it was before this one. */
  isGone(
    instance: "change.performer" | "heard_message.instance" | "lock.instance" | "receipt.instance",
  ): RawBuilder<SqlBool>;
}

/**
 * The database's clock may be set, so it does not decide who is gone: an instance is gone when its heartbeat has not changed for 30
 * seconds by the observer's monotonic clock. A heartbeat that is old when first seen counts from its own time, unless the clock was
 * set since the observer's last heartbeat. SQLite has one instance and needs no heartbeat.
 */
export function createInstances(db: Db, id: string, elapsedMs: () => number): Instances {
  const seen = new Map<string, { readonly seenAt: number; readonly since: number }>();
  const unchangedFor = (ms: number): readonly Heartbeat[] =>
    [...seen]
      .filter(([, { since }]) => elapsedMs() - since >= ms)
      .map(([instance, { seenAt }]) => ({ id: instance, seenAt }));
  const isGone: Instances["isGone"] = (instance) => sql<SqlBool>`not exists (
    select 1 from instance where instance.id = ${sql.ref(instance)} ${sql.join(unchangedFor(goneAfterMs).map(isNot), sql` `)}
  )`;
  let beatAt = 0;
  const observe = async () => {
    const rows = await db
      .selectFrom("instance")
      .select(["id", "seen_at", atDatabase.as("now")])
      .execute();
    const ageOf = ({ now, seen_at }: { now: number; seen_at: number }) => now - seen_at;
    const own = rows.find((row) => row.id === id);
    const isClockSet = own !== undefined && Math.abs(ageOf(own) - (elapsedMs() - beatAt)) > clockSetMs;
    for (const other of seen.keys()) if (!rows.some((row) => row.id === other)) seen.delete(other);
    for (const row of rows) {
      if (row.id === id || seen.get(row.id)?.seenAt === row.seen_at) continue;
      const isOld = !isClockSet && ageOf(row) >= goneAfterMs;
      seen.set(row.id, { seenAt: row.seen_at, since: elapsedMs() - (isOld ? ageOf(row) : 0) });
    }
  };
  if (!isPostgres(db)) {
    const nothing = async () => undefined;
    return { id, beat: nothing, leave: nothing, observe: nothing, isGone: () => sql<SqlBool>`1 = 1` };
  }
  return {
    id,
    observe,
    isGone,
    beat: async () => {
      // Before the new heartbeat, which would hide that the clock was set.
      await observe();
      await writeHeartbeat(db, id);
      beatAt = elapsedMs();
      for (const heartbeat of unchangedFor(forgottenAfterMs)) await forget(db, heartbeat);
    },
    leave: async () => {
      await db.deleteFrom("instance").where("id", "=", id).execute();
      const others = await db.selectFrom("instance").select("id").executeTakeFirst();
      if (!others) await clearPeopleList(db);
    },
  };
}

/** An instance with a newer heartbeat is alive. */
const isNot = ({ id, seenAt }: Heartbeat): RawBuilder<unknown> =>
  sql`and not (instance.id = ${id} and instance.seen_at = ${seenAt})`;

async function writeHeartbeat(db: Kysely<Database>, id: string): Promise<void> {
  await db
    .insertInto("instance")
    .values({ id, seen_at: atDatabase })
    .onConflict((conflict) => conflict.column("id").doUpdateSet({ seen_at: atDatabase }))
    .execute();
}

async function forget(db: Kysely<Database>, { id, seenAt }: Heartbeat): Promise<void> {
  await db.deleteFrom("instance").where("id", "=", id).where("seen_at", "=", seenAt).execute();
}

/** The changes left `performing` by an instance that is gone. On SQLite, any instance before this one. */
export function abandonedChanges(db: Db, instances: Instances) {
  return db.selectFrom("change").selectAll().where(isAbandoned(instances)).orderBy("requested_at").orderBy("id");
}

export function isAbandoned({ id, isGone }: Pick<Instances, "id" | "isGone">) {
  return (column: ExpressionBuilder<Database, "change">) =>
    column.and([
      column("state", "=", "performing"),
      column("settled_at", "is", null),
      column.or([column("performer", "is", null), column("performer", "!=", id)]),
      isGone("change.performer"),
    ]);
}

/** After this, an older version that shares the database takes the lock. */
const maxLockMs = 5 * 60_000;

/**
 * A lock ends when its instance releases it or is gone, never by a clock, which may be set. With one instance, on SQLite, its
 * own queue is enough.
 */
export function createLockStore(db: Db, { id, isGone }: Instances): LockStore {
  if (!isPostgres(db)) return { takeLock: async () => true, releaseLock: async () => undefined };
  const until = sql<number>`${atDatabase} + ${maxLockMs}`;
  return {
    takeLock: async (key) => {
      const taken = await db
        .insertInto("lock")
        .values({ key, instance: id, until })
        .onConflict((conflict) =>
          conflict
            .column("key")
            .doUpdateSet({ instance: id, until })
            .where((column) => column.or([column("lock.instance", "=", id), isGone("lock.instance")])),
        )
        .returning("key")
        .executeTakeFirst();
      return taken !== undefined;
    },
    releaseLock: async (key) => {
      await db.deleteFrom("lock").where("key", "=", key).where("instance", "=", id).execute();
    },
  };
}
