import type { NewJob } from "../changes/job.ts";
import type { JobHandler } from "./job-worker.ts";

const dayMs = 24 * 3_600_000;
const retentionMs = 30 * dayMs;
const batchSize = 500;

/** At the next midnight UTC. */
export function nextCleaning(after: number): NewJob {
  return { kind: "cleaning", subjectId: "daily", dueAt: (Math.floor(after / dayMs) + 1) * dayMs };
}

/** Deletes up to `limit` that were finished before this time, and returns how many. */
type Clean = (before: number, limit: number) => Promise<number>;

/**
 * Every day, deletes outbox messages that were sent or abandoned 30 days ago, bulletins that are over since then, the keys of
 * pipelines' requests, and which messages were heard. Changes and history stay forever, and so do ended exclusions: their project
 * decides who may see their history.
 */
export function createCleaning(cleans: readonly Clean[], now: () => number): JobHandler {
  return async (_subjectId, dueAt) => {
    for (const clean of cleans) while ((await clean(now() - retentionMs, batchSize)) >= batchSize);
    return { jobs: [nextCleaning(Math.max(now(), dueAt))] };
  };
}
