import { setTimeout as pause } from "node:timers/promises";

/** How long a statement waits for a lock, on SQLite and on PostgreSQL. */
export const lockWaitMs = 5000;

const firstPauseMs = 2;
const maxPauseMs = 25;

/** The pause before the next try. Short at first: most locks last milliseconds. */
export function lockPauseMs(triesBefore: number): number {
  return Math.min(maxPauseMs, firstPauseMs * 2 ** Math.min(triesBefore, 10));
}

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

/** Waits a little longer on each call. Throws a DatabaseLockedError after `lockWaitMs`. */
export function createLockWait(): (error: unknown) => Promise<void> {
  const endsAt = performance.now() + lockWaitMs;
  let tries = 0;
  return async (error) => {
    if (performance.now() >= endsAt) throw new DatabaseLockedError(error);
    await pause(lockPauseMs(tries));
    tries += 1;
  };
}

/** Repeats the work until the file is not locked. The work must be safe to repeat. */
export async function whenUnlocked<T>(work: () => T): Promise<T> {
  const wait = createLockWait();
  for (;;) {
    try {
      return work();
    } catch (error) {
      if (!isLocked(error)) throw error;
      await wait(error);
    }
  }
}
