import { vi } from "vitest";
import type { Db } from "../../src/store/db/database.ts";
import { waitMs } from "./patience.ts";

export interface Settling {
  /** Whether everybody has been told who will be by somebody who lives. */
  readonly isAnswered: () => boolean;
  /** Whether somebody has just been told, and that is about to be noted. */
  readonly isNoting: () => Promise<boolean>;
  readonly passTime: () => void;
}

/**
 * Resolves when nothing waits to be told and nothing else is under way. Time passes only while nothing but time is waited for: never
 * while the service is asked.
 */
export async function settled(db: Db, { isAnswered, isNoting, passTime }: Settling): Promise<void> {
  let last = 0;
  await vi.waitUntil(
    async () => {
      const performing = await countIn(db, "change", "performing");
      const pending = await countIn(db, "outbox", "pending");
      if (performing + pending === 0 && isAnswered()) return true;
      const isIdle = performing === (await countLeft(db)) && performing + pending > 0 && pending === last;
      if (isIdle && !(await isNoting())) passTime();
      last = pending;
      return false;
    },
    { timeout: waitMs, interval: 10 },
  );
}

/** The changes that a instance which is gone was performing: one that lives settles them when it looks again. */
async function countLeft(db: Db): Promise<number> {
  const left = db.selectFrom("change").innerJoin("instance", "instance.id", "change.performer").select("change.id");
  return (await left.where("state", "=", "performing").where("seen_at", "=", 0).execute()).length;
}

/** The commands about whose changes somebody is still to be told. */
export async function commandsToReport(db: Db): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom("outbox")
    .innerJoin("change", "change.id", "outbox.change_id")
    .select("change.idempotency_key")
    .where("outbox.kind", "=", "notify-requester")
    .where("outbox.state", "=", "pending")
    .execute();
  return new Set(rows.map((row) => row.idempotency_key.replace("command:", "")));
}

export async function countIn(db: Db, table: "change" | "outbox", state: string): Promise<number> {
  const all = db.selectFrom(table).select(({ fn }) => fn.countAll().as("count"));
  return Number((await all.where("state", "=", state).executeTakeFirstOrThrow()).count);
}
