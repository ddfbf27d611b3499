import { closeSync, fdatasync, openSync, realpathSync } from "node:fs";
import { promisify } from "node:util";

/** Brings what is committed to disk. */
export interface ToDisk {
  /** Resolves when all that is committed by now is on disk. */
  flush(): Promise<void>;
  /** What was committed and is not on disk yet, if anything. */
  readonly pending: Promise<void> | undefined;
  close(): Promise<void>;
}

/** Told when something that was committed may not be on disk: nothing more can be written until the file is opened anew. */
export type OnDiskFailed = (error: unknown) => void;

/** What is flushed, once at a time. */
export interface Flushed {
  flushOnce(): Promise<void>;
  close(): Promise<void>;
}

/**
 * One flush at a time; whoever commits meanwhile shares the next one. A disk that failed once has lost nobody knows what, and is not
 * asked again: every later flush fails as that one did.
 */
export function createToDisk({ flushOnce, close }: Flushed): ToDisk {
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  const run = async (before: Promise<void> | undefined): Promise<void> => {
    await before;
    running = next;
    next = undefined;
    await flushOnce();
    running = undefined;
  };
  return {
    flush: () => {
      next ??= run(running);
      return next;
    },
    get pending() {
      return next ?? running;
    },
    close: async () => {
      // Whoever waits for it is told how it ended.
      await (next ?? running)?.catch(() => undefined);
      await close();
    },
  };
}

/**
 * Flushes SQLite's write-ahead log beside the event loop. With `synchronous = normal` SQLite writes each commit to the log and leaves
 * the flush to us; it is what `synchronous = full` does in the midst of the commit, where all else has to wait for the disk.
 * (sqlite.org/wal.html; the log stays the same file for as long as a connection is open.)
 */
export function logToDisk(databaseFile: string, onFailed: OnDiskFailed): ToDisk {
  // SQLite keeps it beside the file that a link leads to.
  const log = openSync(`${realpathSync(databaseFile)}-wal`, "r+");
  return createToDisk({
    flushOnce: () =>
      datasync(log).catch((error: unknown) => {
        onFailed(error);
        throw error;
      }),
    close: async () => closeSync(log),
  });
}

const datasync = promisify(fdatasync);

/** Where there can be no log, as on some file systems and in memory, SQLite itself flushes with every commit. */
export const alreadyOnDisk: ToDisk = {
  flush: () => Promise.resolve(),
  pending: undefined,
  close: () => Promise.resolve(),
};
