import { offsetAt } from "./zone.ts";

/** `month` is 1 to 12. */
export interface CalendarDay {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

export const weekdays = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"] as const;
export type Weekday = (typeof weekdays)[number];

export interface DayOfWeek extends CalendarDay {
  readonly weekday: Weekday;
}

/** The time that a clock on the wall shows. */
export interface WallClock extends CalendarDay {
  readonly hour: number;
  readonly minute: number;
  readonly second?: number;
}

/** A time of day as it is written: `8:00`, `18:00:30`, `6 pm`, `6:30pm`; undefined for anything else. */
export function readClock(text: string): Pick<Required<WallClock>, "hour" | "minute" | "second"> | undefined {
  const [, hours, minutes, seconds, half] =
    /^(\d{1,2})(?::(\d{2})(?::(\d{2}))?)?(?:\s*([ap])\.?m\.?)?$/i.exec(text.trim()) ?? [];
  const [read, minute, second] = [Number(hours), Number(minutes ?? 0), Number(seconds ?? 0)];
  const isWhole = half ? read >= 1 && read <= 12 && seconds === undefined : minutes !== undefined;
  const hour = half ? (read % 12) + (half.toLowerCase() === "p" ? 12 : 0) : read;
  return isWhole && hour < 24 && minute < 60 && second < 60 ? { hour, minute, second } : undefined;
}

/** Minutes of the day of `HH:MM`. */
export function minutesOf(time: string): number {
  const [hour = 0, minute = 0] = time.split(":").map(Number);
  return hour * 60 + minute;
}

/** `HH:MM` for minutes of a day, or of the night after. */
export function clockText(minutes: number): string {
  return [Math.floor(minutes / 60) % 24, minutes % 60].map((each) => String(each).padStart(2, "0")).join(":");
}

export function daysBetween(from: CalendarDay, to: CalendarDay): number {
  return Math.round((asUtc({ ...to, hour: 0, minute: 0 }) - asUtc({ ...from, hour: 0, minute: 0 })) / DAY_MS);
}

export const weekdayOf = (day: CalendarDay): Weekday => addDays(day, 0).weekday;

/** A number that is greater for a later day. */
export const dayNumber = ({ year, month, day }: CalendarDay): number => (year * 100 + month) * 100 + day;

/** `again` is the second pass of a repeated hour. `resumesAt` is the first instant after a skipped hour. */
export type Instant =
  | { readonly kind: "instant"; readonly at: number; readonly again?: number }
  | { readonly kind: "skipped"; readonly resumesAt: number };

/**
 * The instant at which a clock in an IANA zone shows this time. In a repeated hour the first pass counts. No zone is a day from UTC, so
 * the offsets a day before and after are those on both sides of a clock change. With one, each result is checked by converting it back.
 */
export function instantOf(clock: WallClock, zone: string): Instant {
  const wall = asUtc(clock);
  const before = wall - offsetAt(zone, wall - DAY_MS) * MINUTE_MS;
  const after = wall - offsetAt(zone, wall + DAY_MS) * MINUTE_MS;
  if (before === after) return { kind: "instant", at: before };
  const fitting = [before, after].filter((at) => wallAt(at, zone) === wall);
  if (fitting.length === 0) return { kind: "skipped", resumesAt: firstAfterGap(wall, zone) };
  const at = Math.min(...fitting);
  const again = Math.max(...fitting);
  return again === at ? { kind: "instant", at } : { kind: "instant", at, again };
}

/** The same in epoch ms: for a skipped time the first instant after it. */
export function momentOf(clock: WallClock, zone: string): number {
  const found = instantOf(clock, zone);
  return found.kind === "instant" ? found.at : found.resumesAt;
}

/** The wall clock of an IANA zone at an instant. */
export function wallClockAt(at: number, zone: string): Required<WallClock> & DayOfWeek {
  const shown = new Date(wallAt(at, zone));
  return {
    year: shown.getUTCFullYear(),
    month: shown.getUTCMonth() + 1,
    day: shown.getUTCDate(),
    hour: shown.getUTCHours(),
    minute: shown.getUTCMinutes(),
    second: shown.getUTCSeconds(),
    weekday: weekdays[shown.getUTCDay()] ?? "sunday",
  };
}

/** The calendar day `count` days later, across ends of months. */
export function addDays(day: CalendarDay, count: number): DayOfWeek {
  const moved = new Date(Date.UTC(day.year, day.month - 1, day.day + count));
  return {
    year: moved.getUTCFullYear(),
    month: moved.getUTCMonth() + 1,
    day: moved.getUTCDate(),
    weekday: weekdays[moved.getUTCDay()] ?? "sunday",
  };
}

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

function asUtc({ year, month, day, hour, minute, second = 0 }: WallClock): number {
  return Date.UTC(year, month - 1, day, hour, minute, second);
}

function wallAt(at: number, zone: string): number {
  return at + offsetAt(zone, at) * MINUTE_MS;
}

/** Binary search in the two days around a gap for the first instant whose wall clock is past the skipped time. */
function firstAfterGap(wall: number, zone: string): number {
  let before = wall - DAY_MS;
  let after = wall + DAY_MS;
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (wallAt(middle, zone) > wall) after = middle;
    else before = middle;
  }
  return after;
}
