export interface Closers {
  /** Runs at the end, before those added earlier. */
  add(close: () => Promise<void>): void;
  /** Runs each once, last first; a failing one does not keep the others from running. */
  run(): Promise<void>;
}

/** Collects how each opened thing is closed. */
export function createClosers(): Closers {
  const pending: (() => Promise<void>)[] = [];
  return {
    add: (close) => {
      pending.push(close);
    },
    run: async () => {
      const failures: unknown[] = [];
      for (let close = pending.pop(); close; close = pending.pop()) {
        await close().catch((error: unknown) => failures.push(error));
      }
      if (failures.length > 0) throw new AggregateError(failures, "not everything could be closed");
    },
  };
}
