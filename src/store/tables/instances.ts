import { type Kysely, type RawBuilder, type SqlBool, sql } from "kysely";
import type { InstanceStore } from "../../changes/ports.ts";
import { type Database, type Db, isPostgres } from "../db/database.ts";

/** An instance that has not shown itself for so long is taken for gone. */
const goneAfterMs = 30_000;
/** A heartbeat that is older or younger by this than it must be tells that the clock was set. */
const clockSetMs = 5000;
/** Long after whatever it had under way has been settled. */
const forgottenAfterMs = 3_600_000;

/** By the database's clock, since those of the instances differ. */
export const atDatabase: RawBuilder<number> = sql`(extract(epoch from clock_timestamp()) * 1000)::bigint`;

interface Heartbeat {
  readonly id: string;
  readonly seenAt: number;
}

/** The instances that share the database, as one of them sees the others. */
export interface Instances extends InstanceStore {
  readonly id: string;
  /** Looks which others have shown themselves. */
  observe(): Promise<void>;
  isAlive(instance: "change.performer" | "lock.instance"): RawBuilder<SqlBool>;
}

/**
 * The database's clock may be set, so it does not decide who is gone: an instance whose heartbeat has stayed the same for 30 seconds by
 * the monotonic clock of the one that looks. One that is old when it is first seen counts from then, unless the clock was set since this
 * one's own last heartbeat. Where there is one instance, as on SQLite, it has nobody to show itself to.
 */
export function createInstances(db: Db, id: string, elapsedMs: () => number): Instances {
  const seen = new Map<string, { readonly seenAt: number; readonly since: number }>();
  const unchangedFor = (ms: number): readonly Heartbeat[] =>
    [...seen]
      .filter(([, { since }]) => elapsedMs() - since >= ms)
      .map(([instance, { seenAt }]) => ({ id: instance, seenAt }));
  const isAlive: Instances["isAlive"] = (instance) => sql<SqlBool>`exists (
    select 1 from instance where instance.id = ${sql.ref(instance)} ${sql.join(unchangedFor(goneAfterMs).map(isNot), sql` `)}
  )`;
  let shownAt = 0;
  const observe = async () => {
    const rows = await db
      .selectFrom("instance")
      .select(["id", "seen_at", atDatabase.as("now")])
      .execute();
    const ageOf = ({ now, seen_at }: { now: number; seen_at: number }) => now - seen_at;
    const own = rows.find((row) => row.id === id);
    const isClockSet = own !== undefined && Math.abs(ageOf(own) - (elapsedMs() - shownAt)) > clockSetMs;
    for (const known of seen.keys()) if (!rows.some((row) => row.id === known)) seen.delete(known);
    for (const row of rows) {
      if (row.id === id || seen.get(row.id)?.seenAt === row.seen_at) continue;
      const isOld = !isClockSet && ageOf(row) >= goneAfterMs;
      seen.set(row.id, { seenAt: row.seen_at, since: elapsedMs() - (isOld ? ageOf(row) : 0) });
    }
  };
  if (!isPostgres(db)) {
    const nothing = async () => undefined;
    return { id, beat: nothing, leave: nothing, observe: nothing, isAlive };
  }
  return {
    id,
    observe,
    isAlive,
    beat: async () => {
      // Before this one's own heartbeat is a new one, which hides that the clock was set.
      await observe();
      await showItself(db, id);
      shownAt = elapsedMs();
      for (const heartbeat of unchangedFor(forgottenAfterMs)) await forget(db, heartbeat);
    },
    leave: async () => {
      await db.deleteFrom("instance").where("id", "=", id).execute();
    },
  };
}

/** One that has shown itself since is not the one that was seen. */
const isNot = ({ id, seenAt }: Heartbeat): RawBuilder<unknown> =>
  sql`and not (instance.id = ${id} and instance.seen_at = ${seenAt})`;

async function showItself(db: Kysely<Database>, id: string): Promise<void> {
  await db
    .insertInto("instance")
    .values({ id, seen_at: atDatabase })
    .onConflict((conflict) => conflict.column("id").doUpdateSet({ seen_at: atDatabase }))
    .execute();
}

async function forget(db: Kysely<Database>, { id, seenAt }: Heartbeat): Promise<void> {
  await db.deleteFrom("instance").where("id", "=", id).where("seen_at", "=", seenAt).execute();
}
