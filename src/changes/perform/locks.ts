import { setTimeout as wait } from "node:timers/promises";
import type { Logger } from "../../observability/log.ts";
import type { LockStore } from "../ports.ts";

export interface Locks {
  /**
   * Runs the work with the lock held. Throws a LockUnavailableError, with nothing done, if it still waits for another
   * instance when `stopWaiting` is called.
   */
  readonly withLock: <T>(key: string, work: () => Promise<T>) => Promise<T>;
  stopWaiting(): void;
}

/**
 * Runs work with the same key one at a time: in this process in order of arrival, across instances in the order of taking
 * the lock. A key is kept only while it is in use.
 */
export function createLocks(store: LockStore, log: Logger): Locks {
  const stopping = new AbortController();
  const last = new Map<string, Promise<unknown>>();
  const withStoreLock = async <T>(key: string, work: () => Promise<T>): Promise<T> => {
    await acquireLock(store, key, stopping.signal);
    try {
      return await work();
    } finally {
      await store.releaseLock(key).catch((error: unknown) => {
        log.warn({ err: error, lock: key }, "a turn could not be given back, and is given back later");
        releaseLater(key);
      });
    }
  };
  // Other instances wait for the lock while this one is alive. Taking it once more is harmless, and releases it.
  const releaseLater = (key: string) => {
    setTimeout(() => {
      if (!stopping.signal.aborted) withLock(key, async () => undefined).catch(() => releaseLater(key));
    }, releaseRetryMs).unref();
  };
  const withLock: Locks["withLock"] = async (key, work) => {
    const next = () => withStoreLock(key, work);
    const lock = (last.get(key) ?? Promise.resolve()).then(next, next);
    last.set(key, lock);
    try {
      return await lock;
    } finally {
      if (last.get(key) === lock) last.delete(key);
    }
  };
  return { withLock, stopWaiting: () => stopping.abort() };
}

const releaseRetryMs = 5000;
const firstPauseMs = 20;
const maxPauseMs = 500;

/** Resolves when this instance holds the lock. The pauses have jitter, so that two waiting instances do not poll in step. */
async function acquireLock(store: LockStore, key: string, signal: AbortSignal): Promise<void> {
  for (let pauseMs = firstPauseMs; !(await store.takeLock(key)); pauseMs = Math.min(2 * pauseMs, maxPauseMs)) {
    await wait(pauseMs * (0.5 + Math.random()), undefined, { signal }).catch((cause: unknown) => {
      throw new LockUnavailableError(key, cause);
    });
  }
}

/** Curfew stops while another instance still holds the lock. */
export class LockUnavailableError extends Error {
  readonly code = "LockUnavailable";
  constructor(key: string, cause: unknown) {
    super(`another instance holds the lock ${key}, and Curfew stops`, { cause });
    this.name = "LockUnavailableError";
  }
}
