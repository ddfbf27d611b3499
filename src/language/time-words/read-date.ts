import { addDays, type CalendarDay } from "../../time/wall-clock.ts";
import type { Days, Parts, PartsRead } from "./parts.ts";
import { phrases, skip, type TimeWords } from "./phrases.ts";
import { readClock } from "./read-clock.ts";
import { clockOf } from "./read-digits.ts";
import { readOffset } from "./read-zone.ts";

/** Reads a date in figures: `2026-11-25`, `2026-11-25T18:00Z`, `25/11`, `11/25/2026`, `25.11.` */
export function readDate(words: TimeWords, at: number): PartsRead | undefined {
  if (!/^\d/.test(words.texts[at] ?? "")) return undefined;
  return readIso(words, at) ?? readNumeric(words, at);
}

const iso =
  /^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?:t(\d{2}):?(\d{2})(?::?(\d{2}))?(?:\.\d+)?(z|[+-]\d{2}(?::?\d{2})?)?)?$/;

function readIso({ texts }: TimeWords, at: number): PartsRead | undefined {
  const [matched, year, , month, day, hour, minute, second = "0", offset] = iso.exec(texts[at] ?? "") ?? [];
  if (matched === undefined || Number(year) < 1000) return undefined;
  const days = onDates([{ year: Number(year), month: Number(month), day: Number(day) }]);
  const clock = hour === undefined ? undefined : clockOf(Number(hour), Number(minute), Number(second), { is24: true });
  const zone = offset === undefined ? undefined : readOffset(offset);
  if ((hour !== undefined && !clock) || (offset !== undefined && !zone)) return undefined;
  return {
    end: at + 1,
    parts: { days, isSure: true, ...(clock ? { clock } : {}), ...(zone ? { zones: [zone] } : {}) },
  };
}

export interface SaidDate {
  readonly year?: number | undefined;
  readonly month: number;
  readonly day: number;
}

/** Day first or month first: what only fits one way is read so, the rest is left open. Dots are only written day first. */
function readNumeric(words: TimeWords, at: number): PartsRead | undefined {
  const match = /^(\d{1,2})([/.-])(\d{1,2})(?:\2(\d{4}|\d{2})|(\.))?$/.exec(words.texts[at] ?? "");
  const [, first = "", mark, second = "", shownYear, dot] = match ?? [];
  if (!match || (mark === "-" && shownYear === undefined) || (dot !== undefined && mark !== ".")) return undefined;
  const year = fullYear(shownYear);
  const dayFirst = { year, month: Number(second), day: Number(first) };
  const monthFirst = { year, month: Number(first), day: Number(second) };
  const isEither = mark !== "." && dayFirst.day !== dayFirst.month;
  const dates = (isEither ? [dayFirst, monthFirst] : [dayFirst]).filter(isOnCalendar);
  if (mark === "." && year === undefined && dot === undefined) return dateOrTime(words, at, dates, monthFirst);
  return dates.length === 0 ? undefined : { end: at + 1, parts: { days: onDates(dates), isSure: year !== undefined } };
}

/** `18.11` may be a time or a date, unless a time follows. A time such as 4.22 is rare enough to ask, too. */
function dateOrTime(
  words: TimeWords,
  at: number,
  dates: readonly SaidDate[],
  american: SaidDate,
): PartsRead | undefined {
  const clock = readClock(words, at, true);
  const isOdd = isOnCalendar(american) && american.day % 5 !== 0;
  if (clock && (clock.end > at + 1 || (dates.length === 0 && !isOdd))) return undefined;
  const parts: Parts = { days: onDates(dates), isSure: false };
  if (!clock || readClock(words, skip(words, at + 1, joins), false))
    return dates.length === 0 ? undefined : { end: at + 1, parts };
  const typed = words.typed[at] ?? "";
  const problem = `“${typed}” can be a time or a date. Write ${typed.replace(".", ":")} for the time, or the month's name.`;
  return { end: at + 1, parts: { ...parts, problem } };
}

const joins = phrases("at");

const isOnCalendar = ({ month, day }: SaidDate): boolean => month >= 1 && month <= 12 && day >= 1 && day <= 31;

export const fullYear = (shown: string | undefined): number | undefined =>
  shown === undefined ? undefined : Number(shown.length === 2 ? `20${shown}` : shown);

/** Several dates are the ways to read one. A way that has just passed is left out when another is near. */
export function onDates(dates: readonly SaidDate[]): Days {
  return {
    is: "day",
    of: (today) => {
      if (dates.length === 1) return dates.map((date) => inItsYear(date, today)).filter(exists);
      const next = dates.map((date) => nextOf(date, today)).filter(exists);
      const near = next.filter((day) => daysBetween(today, day) <= nearDays);
      const isOtherFar = next.every((day) => near.includes(day) || daysBetween(today, day) > 365 - nearDays);
      return near.length === 1 && isOtherFar ? near : next;
    },
  };
}

const nearDays = 92;

function daysBetween(from: CalendarDay, to: CalendarDay): number {
  return (Date.UTC(to.year, to.month - 1, to.day) - Date.UTC(from.year, from.month - 1, from.day)) / 86_400_000;
}

/** Without a year, the next such day. One that has just passed stays in the past: it is more likely a slip than next year. */
function inItsYear({ year, month, day }: SaidDate, today: CalendarDay): CalendarDay {
  return { year: year ?? today.year + (today.month - month >= 3 ? 1 : 0), month, day };
}

function nextOf({ year, month, day }: SaidDate, today: CalendarDay): CalendarDay {
  const thisYear = { year: year ?? today.year, month, day };
  return year === undefined && daysBetween(today, thisYear) < 0 ? { ...thisYear, year: today.year + 1 } : thisYear;
}

export function exists(date: CalendarDay): boolean {
  const { month, day } = addDays(date, 0);
  return month === date.month && day === date.day;
}
