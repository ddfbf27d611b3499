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

/**
 * When Curfew had looked last, if that is long ago; null if it is not, or not known. After a restart the state itself shows it: a run
 * that was due long ago was not noticed, so nobody has looked since. The state is at least as new as the latest moment that is in it.
 */
export function lookedBefore(
  last: ReadonlyMap<string, WatchedAction>,
  present: ReadonlyMap<string, WatchedAction>,
  polledAt: number | undefined,
  now: number,
): number | null {
  if (polledAt !== undefined) return now - polledAt > pauseMs ? polledAt : null;
  const actions = [...last.values()].filter(({ missingSince }) => missingSince === null);
  // A service may leave an old date where nothing runs any more.
  const missed = actions.flatMap(({ id, nextAt }) =>
    nextAt !== null && nextAt < now - pauseMs && present.get(id)?.nextAt !== nextAt ? [nextAt] : [],
  );
  if (missed.length === 0) return null;
  const seen = actions.flatMap(({ lastAt, facts }) => [lastAt ?? 0, Date.parse(facts.lastModifiedDate ?? "") || 0]);
  const first = missed.reduce((one, other) => Math.min(one, other));
  const latest = seen.filter((at) => at <= first).reduce((one, other) => Math.max(one, other), 0);
  return latest === 0 ? first : latest;
}
