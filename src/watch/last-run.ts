import { nextScheduledRun } from "../commands/schedule-facts.ts";
import { isModified } from "./action-differences.ts";
import type { WatchedAction } from "./watched-action.ts";

/** The clocks of the service and of Curfew differ a little. */
const skewMs = 30_000;
/** After a longer time without a poll, runs may have been missed. */
export const pauseMs = 10 * 60_000;

/** When an action was due last: its next run of the last poll, once that has passed. Null if that was not seen. */
export function lastRun(
  before: WatchedAction,
  after: Pick<WatchedAction, "facts" | "nextAt">,
  now: number,
): number | null {
  const due = before.nextAt;
  const isPast = due !== null && due <= now + skewMs && (after.nextAt === null || after.nextAt > due);
  if (!isPast || wasMovedBefore(due, before, after)) return before.lastAt;
  return now - due <= pauseMs ? due : lastDailyRun(before, due, now);
}

/** Somebody moved the run or switched it off before it came. */
function wasMovedBefore(due: number, before: WatchedAction, { facts }: Pick<WatchedAction, "facts">): boolean {
  return isModified(before.facts, facts) && Date.parse(facts.lastModifiedDate ?? "") < due;
}

/** Longer than between two runs of a daily schedule. */
const longestGapMs = 15 * 24 * 3_600_000;

/** The last of the runs in a pause. Only a daily schedule says when they were. */
function lastDailyRun({ facts: { schedule } }: WatchedAction, due: number, now: number): number | null {
  const next = (after: number) => nextScheduledRun(schedule, after);
  let [last, run] = [due, next(Math.max(due, now - longestGapMs))];
  if (run === undefined) return null;
  for (; run !== undefined && run <= now; run = next(last)) last = run;
  return last;
}
