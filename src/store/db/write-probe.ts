import { within } from "../../time/within.ts";
import type { Db } from "./database.ts";

export interface WriteProbe {
  /** Whether the database can be written to, as it was found within the last seconds. */
  canWrite(): Promise<boolean>;
  /** Takes note of a statement that failed: a full disk fails others too. */
  noteFailure(error: unknown): void;
}

/** So that asking, however often, writes no more than this. */
const probeAgeMs = 5000;
/** A database that asks for longer is not one that a command could be recorded in. */
const probeTimeoutMs = 3000;
/** A probe is small, and may succeed where there is no space for more. */
const fullForMs = 15_000;

/** Writes a row and removes it, which needs what every other write needs. `instance`: this instance's id. */
export function createWriteProbe(db: Db, instance: string, now: () => number = Date.now): WriteProbe {
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
    canWrite: async () => {
      if (fullAt !== undefined && now() - fullAt < fullForMs) return false;
      if (latest === undefined || Math.abs(now() - latest.at) > probeAgeMs) latest = { at: now(), result: probe() };
      return latest.result;
    },
    noteFailure: (error) => {
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
