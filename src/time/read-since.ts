import { parseDuration } from "./duration.ts";
import { addDays, type CalendarDay, type DayOfWeek, momentOf, readClock, wallClockAt, weekdays } from "./wall-clock.ts";
import { startOfDay } from "./week.ts";

interface Reader {
  readonly now: number;
  readonly zone: string;
}

/** A time of the past, in epoch ms; without an end it lasts until now. */
export interface Past {
  readonly from: number;
  readonly to?: number;
}

/**
 * A past moment as people type it after "since": `today`, `yesterday`, `monday`, `last week`, `2 days`, `3h`, `2026-11-20`, each day
 * also with a time: `yesterday 12:00`, `monday noon`. A day means its start in this zone; a weekday the last such day, today included.
 * Undefined for anything else and for the future.
 */
export const readSince = (words: readonly string[], reader: Reader): number | undefined =>
  readPast(words, reader)?.from;

/** The same as a whole: `yesterday` and `monday` are one day, `last week` is seven, and `last night` ends in the morning. */
export function readPast(words: readonly string[], { now, zone }: Reader): Past | undefined {
  if (words.length > maxWords) return undefined;
  const typed = words.map((word) => word.toLowerCase()).filter((word) => word !== "the" && word !== "on");
  const text = typed.join(" ");
  const length = lengthAgo(text, now);
  const past = length === undefined ? (daysIn(text, now, zone) ?? clockIn(text, now, zone)) : { from: length };
  return past !== undefined && past.from <= now ? past : undefined;
}

const maxWords = 5;

/** "2 days", "last 2 days", "an hour ago". */
function lengthAgo(text: string, now: number): number | undefined {
  const length = text.replace(/^(?:(?:last|past) )?/, "").replace(/ ago$/, "");
  const counted = length.replace(/^an? /, "1 ");
  const read = parseDuration(counted);
  return read.kind === "duration" && /^\d/.test(counted) ? now - read.ms : undefined;
}

function daysIn(text: string, now: number, zone: string): Past | undefined {
  const days = daysNamed(text, dayAt(now, zone));
  if (!days) return undefined;
  const to = days.next && startOfDay(days.next, zone);
  return { from: startOfDay(days.first, zone), ...(to === undefined || to > now ? {} : { to }) };
}

/** "yesterday 12:00", "monday at 9", "noon"; and "last night", from 18:00 to 08:00. */
function clockIn(text: string, now: number, zone: string): Past | undefined {
  const today = dayAt(now, zone);
  const at = ({ year, month, day }: CalendarDay, hour: number, minute = 0) =>
    momentOf({ year, month, day, hour, minute }, zone);
  if (text === "last night") return { from: at(addDays(today, -1), 18), to: Math.min(at(today, 8), now) };
  const [, day = "", clock = ""] = /^(?:(.+?) )??(?:at )?(\d\d?:\d\d|\d\d? ?[ap]m|(?<=at )\d\d?|\w+)$/.exec(text) ?? [];
  const first = day === "" ? today : daysNamed(day, today)?.first;
  const isNoon = /^(?:noon|midday|lunch|lunchtime)$/.test(clock);
  const time = readClock(isNoon ? "12:00" : /^\d+$/.test(clock) ? `${clock}:00` : clock);
  return first && time ? { from: at(first, time.hour, time.minute) } : undefined;
}

const dayAt = (now: number, zone: string): DayOfWeek => addDays(wallClockAt(now, zone), 0);

interface Days {
  readonly first: CalendarDay;
  /** The day after the last; undefined for what is not over. */
  readonly next?: CalendarDay;
}

function daysNamed(text: string, today: DayOfWeek): Days | undefined {
  const monday = addDays(today, -((weekdays.indexOf(today.weekday) + 6) % 7));
  const month = { ...today, day: 1 };
  switch (text) {
    case "today":
    case "this morning":
      return { first: today };
    case "yesterday":
      return { first: addDays(today, -1), next: today };
    case "week":
    case "this week":
      return { first: monday };
    case "last week":
      return { first: addDays(monday, -7), next: monday };
    case "month":
    case "this month":
      return { first: month };
    case "last month":
      return { first: { ...addDays(month, -1), day: 1 }, next: month };
    default: {
      const first = weekdayNamed(text, today) ?? isoDay(text);
      return first && { first, next: addDays(first, 1) };
    }
  }
}

function weekdayNamed(text: string, today: DayOfWeek): CalendarDay | undefined {
  const [, last, name = ""] = /^(last )?([a-z]+)$/.exec(text) ?? [];
  const weekday = weekdays.findIndex((each) => name.length > 2 && each.startsWith(name));
  if (weekday === -1) return undefined;
  const ago = (weekdays.indexOf(today.weekday) - weekday + 7) % 7;
  return addDays(today, ago === 0 && last ? -7 : -ago);
}

function isoDay(text: string): CalendarDay | undefined {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text)?.map(Number) ?? [];
  if (year === undefined || month === undefined || day === undefined) return undefined;
  const named = addDays({ year, month, day }, 0);
  // 31 February is no day.
  return named.month === month && named.day === day ? named : undefined;
}
