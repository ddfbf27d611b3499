import { isUnscheduled, nextScheduledRun } from "../../commands/schedule-facts.ts";
import type { ResourceGroup } from "../../directory/resource-group.ts";
import { resourceKeys } from "../../directory/resource-place.ts";
import { actionsNamed, isFor } from "../../service/action-types.ts";
import type { Action } from "../../service/resources.ts";
import { type Interval, lengthWithin } from "../../time/intervals.ts";
import type { Kept } from "../hours/kept-running.ts";
import type { DigestContent } from "./digest.ts";

/**
 * The hours from a stop that an exclusion prevented to the next start, and the hours of resources whose stops are not known. Stops are
 * known where a group lists its actions. Uses today's schedules.
 */
export function knownHours(
  byResource: Iterable<readonly Kept[]>,
  week: Interval,
  groups: Readonly<Record<string, ResourceGroup>>,
  listed: readonly Action[] | undefined,
): DigestContent["known"] {
  const naming = Object.values(groups).filter(({ actions }) => actions !== undefined);
  const offTimes = new Map(naming.map((group) => [group, listed && offTimesOf(group, listed, week)]));
  let [preventedMs, unknownMs] = [0, 0];
  for (const times of byResource) {
    const keys = new Set(times.flatMap(({ resource }) => resourceKeys(resource.id)));
    const own = naming.filter(
      ({ ids, project }) =>
        project === times[0]?.projectId && ids.some((id) => resourceKeys(id).some((key) => keys.has(key))),
    );
    const offs = own.map((group) => offTimes.get(group));
    if (own.length === 0 || offs.includes(undefined)) unknownMs += lengthWithin(times, week);
    else
      preventedMs += lengthWithin(
        offs.flatMap((off) => preventedIn(times, off ?? [])),
        week,
      );
  }
  return { preventedMs, unknownMs };
}

function preventedIn(times: readonly Interval[], offTimes: readonly Interval[]): readonly Interval[] {
  return times.flatMap(({ from, to }) =>
    offTimes
      .filter((off) => off.from >= from && off.from < to)
      .map((off) => ({ from: off.from, to: Math.min(off.to, to) })),
  );
}

/** A stop may have been prevented some days before. */
const earlierMs = 7 * 24 * 3_600_000;

/** The times from each stop of a group to its next start; undefined if one of its schedules cannot be read. */
function offTimesOf(group: ResourceGroup, listed: readonly Action[], week: Interval): readonly Interval[] | undefined {
  const named = actionsNamed(group, listed);
  if (named.length === 0 && group.actions?.length) return undefined;
  const enabled = named.filter(({ isEnabled, schedule }) => isEnabled !== false && !isUnscheduled(schedule));
  const stops = enabled.filter((action) => isFor("stop", action));
  if (stops.some(({ schedule }) => nextScheduledRun(schedule, week.from) === undefined)) return undefined;
  const starts = enabled.filter((action) => isFor("start", action));
  return stops.flatMap(({ schedule }) => {
    const times: Interval[] = [];
    let stop = nextScheduledRun(schedule, week.from - earlierMs);
    while (stop !== undefined && stop < week.to) {
      const at = stop;
      const next = starts.map((start) => nextScheduledRun(start.schedule, at) ?? Number.POSITIVE_INFINITY);
      times.push({ from: at, to: Math.min(...next, Number.POSITIVE_INFINITY) });
      stop = nextScheduledRun(schedule, at);
    }
    return times;
  });
}
