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
