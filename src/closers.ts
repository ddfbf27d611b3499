export interface Releases {
  /** To be run at the end, before those added earlier. */
  add(release: () => Promise<void>): void;
  /** Runs each once, last first; a failing one does not keep the others from running. */
  run(): Promise<void>;
}

/** Whatever opens something adds how it is closed. */
export function createReleases(): Releases {
  const pending: (() => Promise<void>)[] = [];
  return {
    add: (release) => {
      pending.push(release);
    },
    run: async () => {
      const failures: unknown[] = [];
      for (let release = pending.pop(); release; release = pending.pop()) {
        await release().catch((error: unknown) => failures.push(error));
      }
      if (failures.length > 0) throw new AggregateError(failures, "not everything could be closed");
    },
  };
}
