import type { NewJob } from "../changes/ports.ts";
import type { JobHandler } from "./job-worker.ts";

const dayMs = 24 * 3_600_000;
const keptMs = 30 * dayMs;
const atOnce = 500;

/** The next time to clean up: at midnight UTC. */
export function nextCleaning(after: number): NewJob {
  return { kind: "cleaning", subjectId: "daily", dueAt: (Math.floor(after / dayMs) + 1) * dayMs };
}

/**
 * Every day, lets go of deliveries that were made or given up 30 days ago. `cleanOutbox` deletes at most `limit` of those before
 * a moment and tells how many. Changes and their history stay for ever, and what is known of exclusions that ended long ago as well:
 * it tells which project they were in, and so who may see their history.
 */
export function createCleaning(
  cleanOutbox: (before: number, limit: number) => Promise<number>,
  now: () => number,
): JobHandler {
  return async (_subjectId, dueAt) => {
    while ((await cleanOutbox(now() - keptMs, atOnce)) >= atOnce);
    return { jobs: [nextCleaning(Math.max(now(), dueAt))] };
  };
}
