import type { NewJob } from "../changes/job.ts";
import type { JobHandler } from "./job-worker.ts";

const dayMs = 24 * 3_600_000;
const batchSize = 500;

/** At the next midnight UTC. */
export function nextCleaning(after: number): NewJob {
  return { kind: "cleaning", subjectId: "daily", dueAt: (Math.floor(after / dayMs) + 1) * dayMs };
}

export interface CleaningOptions {
  readonly store: {
    /** Deletes up to `limit` of each kind that were finished before this time. Gives the most deleted of one. */
    clean(before: number, limit: number): Promise<number>;
    /** Deletes what is older from the history, with its changes. */
    pruneHistory(before: number): Promise<void>;
  };
  /** What the config says. */
  readonly retention: () => { readonly historyMs: number | undefined; readonly transientMs: number };
  readonly now: () => number;
}

/** Every day, deletes messages that were sent or abandoned that long ago, bulletins that are over since then, and keys of requests. */
export function createCleaning({ store, retention, now }: CleaningOptions): JobHandler {
  return async (_subjectId, dueAt) => {
    const { historyMs, transientMs } = retention();
    while ((await store.clean(now() - transientMs, batchSize)) >= batchSize);
    if (historyMs !== undefined) await store.pruneHistory(now() - historyMs);
    return { jobs: [nextCleaning(Math.max(now(), dueAt))] };
  };
}
