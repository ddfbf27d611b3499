import type { NewJob } from "../changes/job.ts";
import type { JobHandler } from "./job-worker.ts";

const dayMs = 24 * 3_600_000;
const batchSize = 500;

/** At the next midnight UTC. */
export function nextCleaning(after: number): NewJob {
  return { kind: "cleaning", subjectId: "daily", dueAt: (Math.floor(after / dayMs) + 1) * dayMs };
}

/** Deletes up to `limit` that were finished before this time, and returns how many. */
type Clean = (before: number, limit: number) => Promise<number>;

/**
 * Every day, deletes outbox messages that were sent or abandoned that long ago, bulletins that are over since then, the keys of
 * pipelines' requests, and which messages were heard. And from the history what is older than the config says, with its changes.
 */
export function createCleaning(
  cleans: readonly Clean[],
  prune: (before: number) => Promise<void>,
  retention: () => { readonly historyMs: number | undefined; readonly transientMs: number },
  now: () => number,
): JobHandler {
  return async (_subjectId, dueAt) => {
    const { historyMs, transientMs } = retention();
    for (const clean of cleans) while ((await clean(now() - transientMs, batchSize)) >= batchSize);
    if (historyMs !== undefined) await prune(now() - historyMs);
    return { jobs: [nextCleaning(Math.max(now(), dueAt))] };
  };
}
