import { formatDuration } from "../time/duration.ts";
import { type Interval, runOf, without } from "../time/intervals.ts";

/** The time of an exclusion, and for one of its machines the times of its requester's other exclusions and plans. */
export interface HeldTime {
  readonly own: Interval;
  readonly others: readonly Interval[];
}

/** Times that are less than this apart count as one. */
export const pauseMs = 3_600_000;

/** How long the machine is held without a pause, in minutes. What is held anyway adds nothing. */
function heldMs({ own, others }: HeldTime): number {
  const { from, to } = without([own], others).length > 0 ? runOf(own, others, pauseMs) : own;
  return Math.round((to - from) / minuteMs) * minuteMs;
}

export const longestHeld = (held: readonly HeldTime[] = []): number => Math.max(0, ...held.map(heldMs));

/** For an exclusion that is judged as long as this. */
export const asLongAs = (ms: number): HeldTime => ({ own: { from: 0, to: ms }, others: [] });

interface Lengths {
  readonly exclusionLengthMs?: number | undefined;
  readonly held?: readonly HeldTime[] | undefined;
}

/** What limits of length are compared with; undefined where it is not known. */
export const lengthOf = ({ exclusionLengthMs, held }: Lengths): number | undefined =>
  exclusionLengthMs === undefined ? undefined : Math.max(exclusionLengthMs, longestHeld(held));

/** Rounded up: some milliseconds of a requested length have passed when it is looked at. */
export const lengthWords = (ms: number): string => formatDuration(Math.ceil(ms / minuteMs) * minuteMs);

/** "This would be 30 h": with what else the requester holds, where that makes it longer. */
export function lengthFound(lengths: Lengths): string | undefined {
  const { exclusionLengthMs = 0 } = lengths;
  const ms = lengthOf(lengths);
  if (ms === undefined) return undefined;
  const isWithOthers = lengthWords(ms) !== lengthWords(exclusionLengthMs);
  const beside = isWithOthers ? "Together with what you keep before and after, this" : "This";
  return `${beside} would be ${lengthWords(ms)}`;
}

const minuteMs = 60_000;

/** The latest end within a limit of length, for all machines; undefined if there is none. */
export function latestEndHeld(held: readonly HeldTime[], limitMs: number): number | undefined {
  const ends = held.map((each) => latestEndOf(each, limitMs));
  const latest = Math.min(...ends.map((end) => end ?? Number.NEGATIVE_INFINITY));
  return Number.isFinite(latest) ? latest : undefined;
}

/** An earlier end takes time away, or leaves a pause before what comes next. */
function latestEndOf({ own, others }: HeldTime, limitMs: number): number | undefined {
  const { from } = runOf({ from: own.from, to: own.from + minuteMs }, others, pauseMs);
  const ends = [from + limitMs, own.from + limitMs, ...others.map((other) => other.from - pauseMs), own.to]
    .flatMap((end) => [Math.round, Math.floor].map((whole) => own.from + whole((end - own.from) / minuteMs) * minuteMs))
    .filter((to) => to > own.from && to <= own.to && heldMs({ own: { from: own.from, to }, others }) <= limitMs);
  return ends.length > 0 ? Math.max(...ends) : undefined;
}

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

const hourMs = 3_600_000;

/** What it comes to with the request. */
export const totalMs = ({ soFarMs, added }: WeekOfHours): number =>
  added.reduce((sum, { from, to }) => sum + to - from, soFarMs);

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
