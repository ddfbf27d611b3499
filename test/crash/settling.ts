import { vi } from "vitest";
import type { Db } from "../../src/store/db/database.ts";
import { waitMs } from "./wait-ms.ts";

export interface Settling {
  /** Whether every requester of a living process is notified. */
  readonly isAnswered: () => boolean;
  /** Whether a notification was sent and is about to be marked. */
  readonly isMarking: () => Promise<boolean>;
  readonly passTime: () => void;
}

/** Resolves when nothing is pending or performing. Advances time only while nothing else is awaited, never during a service call. */
export async function settled(db: Db, { isAnswered, isMarking, passTime }: Settling): Promise<void> {
  let last = 0;
  await vi.waitUntil(
    async () => {
      const performing = await countIn(db, "change", "performing");
      const pending = await countIn(db, "outbox", "pending");
      const received = await countReceipts(db);
      if (performing + pending + received === 0 && isAnswered()) return true;
      const isIdle =
        received === 0 && performing === (await countLeft(db)) && performing + pending > 0 && pending === last;
      if (isIdle && !(await isMarking())) passTime();
      last = pending;
      return false;
    },
    { timeout: waitMs, interval: 10 },
  );
}

/** The changes of dead instances, which a living one settles on its next recovery. */
async function countLeft(db: Db): Promise<number> {
  const left = db.selectFrom("change").innerJoin("instance", "instance.id", "change.performer").select("change.id");
  return (await left.where("state", "=", "performing").where("seen_at", "=", 0).execute()).length;
}

/** The requests that are being handled, or that a dead instance left. */
async function countReceipts(db: Db): Promise<number> {
  const all = db.selectFrom("receipt").select(({ fn }) => fn.countAll().as("count"));
  return Number((await all.executeTakeFirstOrThrow()).count);
}

/** The people who are still to be notified of a change. */
export async function peopleToNotify(db: Db): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom("outbox")
    .innerJoin("change", "change.id", "outbox.change_id")
    .select("change.actor_id")
    .where("outbox.kind", "=", "notify-requester")
    .where("outbox.state", "=", "pending")
    .execute();
  return new Set(rows.map((row) => row.actor_id));
}

export async function countIn(db: Db, table: "change" | "outbox", state: string): Promise<number> {
  const all = db.selectFrom(table).select(({ fn }) => fn.countAll().as("count"));
  return Number((await all.where("state", "=", state).executeTakeFirstOrThrow()).count);
}
