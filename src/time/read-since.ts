import { parseDuration } from "./duration.ts";
import { calendarDay, isoDay } from "./recurrence.ts";
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
  const past = lengthAgo(text, now) ?? daysIn(text, now, zone) ?? clockIn(text, now, zone);
  return past !== undefined && past.from <= now ? past : undefined;
}

const maxWords = 5;

/** "2 days", "last 2 days", "an hour ago". */
function lengthAgo(text: string, now: number): Past | undefined {
  const counted = text
    .replace(/^(?:last|past) /, "")
    .replace(/ ago$/, "")
    .replace(/^an? /, "1 ");
  const read = parseDuration(counted);
  return read.kind === "duration" && /^\d/.test(counted) ? { from: now - read.ms } : undefined;
}

function daysIn(text: string, now: number, zone: string): Past | undefined {
  const [first, next] = daysNamed(text, dayAt(now, zone)) ?? [];
  const to = next && startOfDay(next, zone);
  return first && { from: startOfDay(first, zone), ...(to === undefined || to > now ? {} : { to }) };
}

/** "yesterday 12:00", "monday at 9", "noon"; and "last night", from 18:00 to 08:00. */
function clockIn(text: string, now: number, zone: string): Past | undefined {
  const today = dayAt(now, zone);
  const at = ({ year, month, day }: CalendarDay, hour: number, minute = 0) =>
    momentOf({ year, month, day, hour, minute }, zone);
  if (text === "last night") return { from: at(addDays(today, -1), 18), to: Math.min(at(today, 8), now) };
  const [, day = "", clock = ""] = /^(?:(.+?) )??(?:at )?(\d\d?:\d\d|\d\d? ?[ap]m|(?<=at )\d\d?|\w+)$/.exec(text) ?? [];
  const [first] = day === "" ? [today] : (daysNamed(day, today) ?? []);
  const isNoon = /^(?:noon|midday|lunch|lunchtime)$/.test(clock);
  const time = readClock(isNoon ? "12:00" : /^\d+$/.test(clock) ? `${clock}:00` : clock);
  return first && time ? { from: at(first, time.hour, time.minute) } : undefined;
}

const dayAt = (now: number, zone: string): DayOfWeek => addDays(wallClockAt(now, zone), 0);

/** The first of some days, and the day after the last of those that are over. */
function daysNamed(text: string, today: DayOfWeek): readonly [CalendarDay, CalendarDay?] | undefined {
  const monday = addDays(today, -((weekdays.indexOf(today.weekday) + 6) % 7));
  const month = { ...today, day: 1 };
  const named = new Map<string, readonly [CalendarDay, CalendarDay?]>([
    ["today", [today]],
    ["this morning", [today]],
    ["yesterday", [addDays(today, -1), today]],
    ["week", [monday]],
    ["last week", [addDays(monday, -7), monday]],
    ["month", [month]],
    ["last month", [{ ...addDays(month, -1), day: 1 }, month]],
  ]);
  const found = named.get(text.replace(/^this (?=week$|month$)/, ""));
  const first = found ? undefined : (weekdayNamed(text, today) ?? dayNamed(text));
  return found ?? (first && [first, addDays(first, 1)]);
}

function weekdayNamed(text: string, today: DayOfWeek): CalendarDay | undefined {
  const [, last, name = ""] = /^(last )?([a-z]+)$/.exec(text) ?? [];
  const weekday = weekdays.findIndex((each) => name.length > 2 && each.startsWith(name));
  if (weekday === -1) return undefined;
  const ago = (weekdays.indexOf(today.weekday) - weekday + 7) % 7;
  return addDays(today, ago === 0 && last ? -7 : -ago);
}

/** `2026-11-20`; 31 February is no day. */
function dayNamed(text: string): CalendarDay | undefined {
  const day = /^\d{4}-\d{2}-\d{2}$/.test(text) ? addDays(calendarDay(text), 0) : undefined;
  return day && isoDay(day) === text ? day : undefined;
}
