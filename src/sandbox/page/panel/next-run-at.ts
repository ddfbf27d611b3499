import type { Schedule } from "../../../service/resources.ts";
import { nextExecutionDate } from "../../service/runs-between.ts";

interface CachedRun {
  readonly after: number;
  readonly at: number | null;
}

const cache = new WeakMap<Schedule, CachedRun>();

/** The next run after a moment. Cached until that run, because it is slow to compute and read on every update. */
export function nextRunAt(schedule: Schedule, after: number): number | null {
  const cached = cache.get(schedule);
  if (cached && cached.after <= after && (cached.at === null || after < cached.at)) return cached.at;
  const next = nextExecutionDate(schedule, after);
  const at = next === null ? null : Date.parse(next);
  cache.set(schedule, { after, at });
  return at;
}
