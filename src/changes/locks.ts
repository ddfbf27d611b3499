import { setTimeout as wait } from "node:timers/promises";
import type { Logger } from "../observability/log.ts";
import type { LockStore } from "./ports.ts";

export interface Locks {
  /** Throws a LockUnavailableError, with nothing done, for one that would still have to wait for another instance when `stopWaiting` is called. */
  readonly withLock: <T>(key: string, work: () => Promise<T>) => Promise<T>;
  stopWaiting(): void;
}

/**
 * Lets those who come with the same key go one after the other: in this process in the order they came, and across instances whoever
 * takes the turn first. A key is kept only while somebody is at it.
 */
export function createLocks(store: LockStore, log: Logger): Locks {
  const stopping = new AbortController();
  const last = new Map<string, Promise<unknown>>();
  const alone = async <T>(key: string, work: () => Promise<T>): Promise<T> => {
    await taken(store, key, stopping.signal);
    try {
      return await work();
    } finally {
      await store.releaseLock(key).catch((error: unknown) => {
        log.warn({ err: error, lock: key }, "a turn could not be given back, and is given back later");
        giveBackLater(key);
      });
    }
  };
  // Others wait for it as long as this instance is alive. To take it once more is harmless, and ends it.
  const giveBackLater = (key: string) => {
    setTimeout(() => {
      if (!stopping.signal.aborted) withLock(key, async () => undefined).catch(() => giveBackLater(key));
    }, giveBackAfterMs).unref();
  };
  const withLock: Locks["withLock"] = async (key, work) => {
    const next = () => alone(key, work);
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

const giveBackAfterMs = 5000;
const firstPauseMs = 20;
const longestPauseMs = 500;

/** Resolves when the turn is this instance's. The pauses vary, so that two that wait do not keep on asking at the same moment. */
async function taken(store: LockStore, key: string, signal: AbortSignal): Promise<void> {
  for (let pauseMs = firstPauseMs; !(await store.takeLock(key)); pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
    await wait(pauseMs * (0.5 + Math.random()), undefined, { signal }).catch((cause: unknown) => {
      throw new LockUnavailableError(key, cause);
    });
  }
}

/** Curfew stops, and another instance is still at the thing. */
export class LockUnavailableError extends Error {
  readonly code = "LockUnavailable";
  constructor(key: string, cause: unknown) {
    super(`another instance is at ${key}, and its turn is not waited for any more`, { cause });
    this.name = "NoTurnError";
  }
}
