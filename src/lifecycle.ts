export type InFlight = ReturnType<typeof createInFlight>;

/**
 * Tracks requests in flight, so that a stop can wait for them: Bolt does not await listeners that have acknowledged
 * (PLATFORM.md §16.5).
 */
export function createInFlight() {
  const running = new Set<Promise<unknown>>();
  return {
    track: <T>(work: () => Promise<T>): Promise<T> => {
      const promise = work();
      const forget = () => running.delete(promise);
      running.add(promise);
      promise.then(forget, forget);
      return promise;
    },
    /** Resolves when nothing is in flight. */
    idle: async () => {
      while (running.size > 0) await Promise.allSettled(running);
    },
  };
}

export type Closers = ReturnType<typeof createClosers>;

/** Collects how each opened thing is closed. */
export function createClosers() {
  const pending: (() => Promise<void>)[] = [];
  return {
    /** Runs at the end, before those added earlier. */
    add: (close: () => Promise<void>) => {
      pending.push(close);
    },
    /** Runs each once, last first; a failing one does not keep the others from running. */
    run: async () => {
      const failures: unknown[] = [];
      for (let close = pending.pop(); close; close = pending.pop()) {
        await close().catch((error: unknown) => failures.push(error));
      }
      if (failures.length > 0) throw new AggregateError(failures, "not everything could be closed");
    },
  };
}
