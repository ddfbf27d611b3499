import { setTimeout as pause } from "node:timers/promises";

/** How long a statement waits for a lock, on SQLite and on PostgreSQL. */
export const lockWaitMs = 5000;

const firstPauseMs = 2;
const maxPauseMs = 25;

/** SQLITE_BUSY in all its variants: another connection locks the file, and nothing was done. */
export function isLocked(error: unknown): boolean {
  if (!(error instanceof Error) || !("errcode" in error)) return false;
  return typeof error.errcode === "number" && (error.errcode & 0xff) === sqliteBusy;
}

const sqliteBusy = 5;

export class DatabaseLockedError extends Error {
  readonly code = "DatabaseLocked";
  constructor(cause: unknown) {
    super(
      `The database file was locked by another program for more than ${lockWaitMs / 1000} s. Nothing was written: stop the program that holds it.`,
      { cause },
    );
    this.name = "DatabaseLockedError";
  }
}

/** Repeats the work until the file is not locked. Throws a DatabaseLockedError after `lockWaitMs`. The work must be safe to repeat. */
export async function whenUnlocked<T>(work: () => T | Promise<T>): Promise<T> {
  const endsAt = performance.now() + lockWaitMs;
  for (let tries = 0; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (!isLocked(error)) throw error;
      if (performance.now() >= endsAt) throw new DatabaseLockedError(error);
      // Short at first: most locks last milliseconds.
      await pause(Math.min(maxPauseMs, firstPauseMs * 2 ** Math.min(tries, 10)));
    }
  }
}
