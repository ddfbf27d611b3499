import { parseDuration } from "./duration.ts";
import { addDays, type CalendarDay, type DayOfWeek, instantOf, wallClockAt, weekdays } from "./wall-clock.ts";

/**
 * A past moment as people type it after "since": `today`, `yesterday`, `monday`, `last week`, `2 days`, `3h`, `2026-11-20`. A day
 * means its start in this zone; a weekday the last such day, today included. Undefined for anything else and for the future.
 */
export function readSince(
  words: readonly string[],
  { now, zone }: { readonly now: number; readonly zone: string },
): number | undefined {
  if (words.length > maxWords) return undefined;
  const typed = words.map((word) => word.toLowerCase()).filter((word) => word !== "the" && word !== "on");
  const text = typed.join(" ");
  const at = lengthAgo(text, now) ?? startOf(dayNamed(text, wallClockAt(now, zone)), zone);
  return at !== undefined && at <= now ? at : undefined;
}

const maxWords = 5;

/** "2 days", "last 2 days", "an hour ago". */
function lengthAgo(text: string, now: number): number | undefined {
  const length = text.replace(/^(?:(?:last|past) )?/, "").replace(/ ago$/, "");
  const counted = length.replace(/^an? /, "1 ");
  const read = parseDuration(counted);
  return read.kind === "duration" && /^\d/.test(counted) ? now - read.ms : undefined;
}

function dayNamed(text: string, today: DayOfWeek): CalendarDay | undefined {
  const sinceMonday = (weekdays.indexOf(today.weekday) + 6) % 7;
  switch (text) {
    case "today":
    case "this morning":
      return today;
    case "yesterday":
      return addDays(today, -1);
    case "week":
    case "this week":
      return addDays(today, -sinceMonday);
    case "last week":
      return addDays(today, -sinceMonday - 7);
    case "month":
    case "this month":
      return { ...today, day: 1 };
    case "last month":
      return { ...addDays({ ...today, day: 1 }, -1), day: 1 };
    default:
      return weekdayNamed(text, today) ?? isoDay(text);
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

function startOf(day: CalendarDay | undefined, zone: string): number | undefined {
  if (day === undefined) return undefined;
  const { year, month, day: date } = day;
  const midnight = instantOf({ year, month, day: date, hour: 0, minute: 0 }, zone);
  return midnight.kind === "instant" ? midnight.at : midnight.resumesAt;
}
