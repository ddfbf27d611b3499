import type { Action } from "../../service/resources.ts";
import type { Interval } from "../../time/intervals.ts";
import type { QueryContext } from "../command.ts";
import { instant } from "../exclusion/exclusion-body.ts";
import { mayRunAfter, runAfter } from "../exclusion/next-run.ts";
import { nextScheduledRun } from "../schedule-facts.ts";
import type { Run } from "./coming-runs.ts";
import { toleranceMs } from "./outcome-of-run.ts";
import { lastRun } from "./read-runs.ts";

/** The longest time that is looked at. */
export const longestMs = 14 * 24 * 3_600_000;

/** The runs of actions in some spans, past ones only as far as the schedule is the same since then. */
export function runsDuring(actions: readonly Action[], spans: readonly Interval[], now: number): readonly Run[] {
  const momentsOf = oncePerSchedule((action) => spans.flatMap((span) => momentsDuring(action, span, now)));
  return actions.flatMap((action) => {
    if (action.isEnabled === false) return [];
    const changedAt = instant(action.lastModifiedDate) ?? 0;
    return momentsOf(action).flatMap((at) => (at > now || at > changedAt ? [{ action, at }] : []));
  });
}

/** Thousands of actions share a few schedules. */
function oncePerSchedule<T>(read: (action: Action) => T): (action: Action) => T {
  const known = new Map<string, T>();
  return (action) => {
    const key = JSON.stringify([action.schedule, action.nextExecutionDate]);
    const found = known.get(key) ?? read(action);
    known.set(key, found);
    return found;
  };
}

const momentsDuring = (action: Action, { from, to }: Interval, now: number): readonly number[] => [
  ...runsFrom(from - 1, Math.min(to, now + 1), (after) => nextScheduledRun(action.schedule, after)),
  ...runsFrom(Math.max(from - 1, now), to, (after) => runAfter(action, after)),
];

function runsFrom(after: number, to: number, next: (after: number) => number | undefined): readonly number[] {
  const found: number[] = [];
  for (let at = next(after); at !== undefined && at < to; at = next(at)) found.push(at);
  return found;
}

/** Those whose coming runs nobody can know in some spans: only the next one is known. */
export function unknownDuring(actions: readonly Action[], spans: readonly Interval[], now: number): readonly Action[] {
  const isUnknown = oncePerSchedule((action) =>
    spans.some(({ from, to }) => to > now && mayRunAfter(action, Math.max(from, now))),
  );
  return actions.filter((action) => action.isEnabled !== false && isUnknown(action));
}

/** Those that were changed since the past part of some spans, so that their schedule does not say when they ran then. */
export const changedSince = (actions: readonly Action[], spans: readonly Interval[], now: number): readonly Action[] =>
  actions.filter(({ lastModifiedDate }) => {
    const at = instant(lastModifiedDate) ?? 0;
    return spans.some(({ from }) => from < at && from < now);
  });

/** With the last run of each action that is known by itself, rather than by its schedule. */
export async function withKnownRuns(
  runs: readonly Run[],
  actions: readonly Action[],
  spans: readonly Interval[],
  context: QueryContext,
): Promise<readonly Run[]> {
  const known = await Promise.all(
    actions.map(async (action) => {
      const last = await lastRun(action, context, { isNamed: true });
      const isAsked = last && spans.some(({ from, to }) => last.at >= from && last.at < to);
      const isFound = runs.some((run) => run.action === action && Math.abs(run.at - (last?.at ?? 0)) <= toleranceMs);
      return isAsked && !isFound ? [{ action, at: last.at }] : [];
    }),
  );
  return [...runs, ...known.flat()];
}
