export interface InFlight {
  track<T>(work: () => Promise<T>): Promise<T>;
  /** Resolves when nothing is in flight. */
  idle(): Promise<void>;
}

/**
 * Tracks requests in flight, so that a stop can wait for them: Bolt does not await listeners that have acknowledged
 * (PLATFORM.md §16.5).
 */
export function createInFlight(): InFlight {
  const running = new Set<Promise<unknown>>();
  return {
    track: (work) => {
      const promise = work();
      const forget = () => running.delete(promise);
      running.add(promise);
      promise.then(forget, forget);
      return promise;
    },
    idle: async () => {
      while (running.size > 0) await Promise.allSettled(running);
    },
  };
}
