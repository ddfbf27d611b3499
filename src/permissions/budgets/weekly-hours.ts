import type { Interval } from "../../time/intervals.ts";

/** What a request adds to the hours that its requester keeps one resource running in one week. Only weeks with more hours than before. */
export interface WeekOfHours {
  /** "this week". */
  readonly week: string;
  /** The resource's id, where the request names several. */
  readonly of: string | undefined;
  /** What counts already. */
  readonly soFarMs: number;
  /** What the request adds, in order. */
  readonly added: readonly Interval[];
}

export const hourMs = 3_600_000;

/** What it comes to with the request. */
export const totalMs = ({ soFarMs, added }: WeekOfHours): number =>
  added.reduce((sum, { from, to }) => sum + to - from, soFarMs);

const minuteMs = 60_000;

/** Seconds do not count: some have passed when a request is looked at. */
const isOver = (hours: WeekOfHours, limit: number): boolean => Math.round(totalMs(hours) / minuteMs) > limit * 60;

/** The week that goes furthest beyond a limit of hours; undefined if none does. */
export function furthestOver(hours: readonly WeekOfHours[], limit: number): WeekOfHours | undefined {
  const over = hours.filter((each) => isOver(each, limit));
  return over.toSorted((one, other) => totalMs(other) - totalMs(one))[0];
}

/** The latest end of the request that stays within a limit of hours; undefined where it can be as long as asked, or not at all. */
export function latestEnd(hours: readonly WeekOfHours[], limit: number): number | undefined {
  const ends = hours.filter((each) => isOver(each, limit)).map((each) => endWithin(each, limit * hourMs));
  const latest = Math.min(...ends);
  const first = Math.min(...hours.flatMap(({ added }) => added[0]?.from ?? []));
  return ends.length > 0 && latest - first >= minuteMs ? latest : undefined;
}

function endWithin({ soFarMs, added }: WeekOfHours, limitMs: number): number {
  let left = limitMs - soFarMs;
  for (const { from, to } of added) {
    if (to - from > left) return from + Math.max(0, left);
    left -= to - from;
  }
  return Number.POSITIVE_INFINITY;
}

/** "This would be 43 of 40 h this week." More than the limit never looks like it. */
export function comesTo(hours: WeekOfHours, limit: number): string {
  const total = totalMs(hours);
  const shown = isOver(hours, limit) ? Math.max(inHours(total), Math.round(limit * 10 + 1) / 10) : inHours(total);
  const which = hours.of === undefined ? "" : ` for ${hours.of}`;
  return `This would be ${shown} of ${limit} h ${hours.week}${which}.`;
}

/** In hours with at most one decimal, rounded up. */
export const inHours = (ms: number): number => Math.ceil(Math.round(ms / minuteMs) / 6) / 10;
