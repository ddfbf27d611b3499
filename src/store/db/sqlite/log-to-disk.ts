import { closeSync, fdatasync, openSync, realpathSync } from "node:fs";
import { promisify } from "node:util";

/** Flushes commits to disk. */
export interface ToDisk {
  /** Resolves when everything committed so far is on disk. */
  flush(): Promise<void>;
  /** The flush under way, if any. */
  readonly pending: Promise<void> | undefined;
  close(): Promise<void>;
}

/** Called when a commit may not be on disk. Nothing more can be written until the file is reopened. */
export type OnDiskFailed = (error: unknown) => void;

/** The file to flush. Flushes do not overlap. */
export interface Flushed {
  flushOnce(): Promise<void>;
  close(): Promise<void>;
}

/**
 * One flush at a time; commits during a flush share the next one. After a failed flush the data on disk is unknown,
 * so every later flush fails the same way.
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
      // Its caller gets the error.
      await (next ?? running)?.catch(() => undefined);
      await close();
    },
  };
}

/**
 * Flushes SQLite's write-ahead log off the event loop. With `synchronous = normal` SQLite writes each commit to the log and
 * leaves the flush to us; `synchronous = full` would flush during the commit and block the event loop.
 * (sqlite.org/wal.html; the log stays the same file while a connection is open.)
 */
export function logToDisk(databaseFile: string, onFailed: OnDiskFailed): ToDisk {
  // SQLite keeps the log beside the file that a link points to.
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

/** Without a log (some file systems, in memory) SQLite itself flushes on every commit. */
export const alreadyOnDisk: ToDisk = {
  flush: () => Promise.resolve(),
  pending: undefined,
  close: () => Promise.resolve(),
};
