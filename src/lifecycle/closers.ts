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
