import { pauseMs } from "./last-run.ts";
import type { WatchedAction } from "./watched-action.ts";

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
