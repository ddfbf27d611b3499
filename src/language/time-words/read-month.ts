import { addDays, type CalendarDay, type DayOfWeek, weekdays } from "../../time/wall-clock.ts";
import type { Days, PartsRead } from "./parts.ts";
import { phraseAt, phrases, phrasesFor, skip, type TimeWords } from "./phrases.ts";
import { readClock } from "./read-clock.ts";
import { readNumberWord } from "./read-count.ts";
import { exists, fullYear, onDates } from "./read-date.ts";
import { monthNames, weekdayNames } from "./time-words.ts";

/** Reads a date with a month's name or none: `nov 25th 2026`, `the 3rd of february`, `the 25th`, `last monday of march`, `december`. */
export function readMonth(words: TimeWords, at: number): PartsRead | undefined {
  return readGlued(words, at) ?? readDayFirst(words, at) ?? readMonthFirst(words, at);
}

/** `25nov`, `25-Nov-2026` */
function readGlued(words: TimeWords, at: number): PartsRead | undefined {
  const [, day, name = "", year] =
    /^(\d{1,2})(?:st|nd|rd|th)?-?([a-z]{3,9})(?:-(\d{2}|\d{4}))?$/.exec(words.texts[at] ?? "") ?? [];
  const month = monthNames.get(name);
  if (day === undefined || month === undefined) return undefined;
  const date = { month, day: Number(day) };
  if (year === undefined) return withYear(words, at + 1, date, true);
  return { end: at + 1, parts: { days: onDates([{ ...date, year: fullYear(year) }]), isSure: true } };
}

function readDayFirst(words: TimeWords, at: number): PartsRead | undefined {
  const number = readOrdinal(words, at);
  if (!number) return undefined;
  const weekday = number.isOrdinal ? weekdayNames.get(words.texts[number.end] ?? "") : undefined;
  if (weekday !== undefined) return readNthWeekday(words, number.end, weekday, number.value);
  const monthAt = skip(words, number.end, of);
  const month = monthNames.get(words.texts[monthAt] ?? "");
  const isSure = number.isOrdinal || isSureName(words.texts[monthAt]);
  if (month !== undefined) return withYear(words, monthAt + 1, { month, day: number.value }, isSure);
  const relative = phraseAt(words, number.end, relativeMonths);
  const isDay = (number.isOrdinal && number.isInFigures) || (number.isInFigures && words.texts[at - 1] === "the");
  if (!isDay || number.value < 1) return undefined;
  return {
    end: relative?.end ?? number.end,
    parts: { days: dayOfMonth(number.value, relative?.means), isSure: false },
  };
}

const of = phrases("of the|of|in");
const relativeMonths = phrasesFor([
  ["of next month|of the next month", 1],
  ["of this month|of the month|of the current month", 0],
]);

interface Ordinal {
  readonly end: number;
  /** -1 for the last. */
  readonly value: number;
  readonly isOrdinal: boolean;
  readonly isInFigures: boolean;
}

/** `25`, `25th`, `third`, `twenty first`, `last` */
function readOrdinal(words: TimeWords, at: number): Ordinal | undefined {
  const text = words.texts[at] ?? "";
  const [, digits, ending] = /^(\d{1,2})(st|nd|rd|th)?$/.exec(text) ?? [];
  if (digits !== undefined)
    return { end: at + 1, value: Number(digits), isOrdinal: ending !== undefined, isInFigures: true };
  const isGlued = text.includes("-");
  const glued = isGlued ? text.split("-") : [];
  const named = isGlued ? ordinalIn({ texts: glued, typed: glued }, 0) : ordinalIn(words, at);
  return named && { ...named, end: isGlued ? at + 1 : named.end, isOrdinal: true, isInFigures: false };
}

function ordinalIn(words: TimeWords, at: number): { end: number; value: number } | undefined {
  const value = ordinals.get(words.texts[at] ?? "");
  if (value !== undefined) return { end: at + 1, value };
  const one = ordinals.get(words.texts[at + 1] ?? "") ?? 0;
  const tens = one > 0 && one < 10 ? readNumberWord(words, at) : undefined;
  return tens && tens.end === at + 1 && tens.value >= 20 ? { end: at + 2, value: tens.value + one } : undefined;
}

const ordinals = new Map(
  (
    "last zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth " +
    "sixteenth seventeenth eighteenth nineteenth twentieth"
  )
    .split(" ")
    .map((word, index): [string, number] => [word, index - 1])
    .concat([["thirtieth", 30]]),
);

/** `last monday of march`, `first friday of next month` */
function readNthWeekday(words: TimeWords, at: number, weekday: number, count: number): PartsRead | undefined {
  const monthAt = skip(words, at + 1, of);
  const month = monthAt === at + 1 ? undefined : monthNames.get(words.texts[monthAt] ?? "");
  const relative = phraseAt(words, at + 1, relativeMonths);
  if (month === undefined && !relative) return undefined;
  const inMonth = (first: CalendarDay) => nthWeekday(first, weekday, count);
  const days = (today: DayOfWeek) => {
    const first = { ...today, month: month ?? today.month + (relative?.means ?? 0), day: 1 };
    const [found] = inMonth(first);
    const isPast =
      month !== undefined &&
      (!found || Date.UTC(found.year, found.month - 1, found.day) < Date.UTC(today.year, today.month - 1, today.day));
    return isPast ? inMonth({ ...first, year: first.year + 1 }) : inMonth(first);
  };
  return { end: relative?.end ?? monthAt + 1, parts: { days: { is: "day", of: days }, isSure: true } };
}

function nthWeekday(first: CalendarDay, weekday: number, count: number): readonly CalendarDay[] {
  const start = addDays(first, 0);
  const ahead = (weekday - weekdays.indexOf(start.weekday) + 7) % 7;
  const days = [0, 1, 2, 3, 4]
    .map((week) => addDays(start, ahead + 7 * week))
    .filter(({ month }) => month === start.month);
  return days.slice(count < 0 ? -1 : count - 1, count < 0 ? undefined : count);
}

/** `nov 25th, 2026`; `december` and `october 2027` are their first day. */
function readMonthFirst(words: TimeWords, at: number): PartsRead | undefined {
  const name = words.texts[at] ?? "";
  const month = monthNames.get(name);
  if (month === undefined) return undefined;
  const dayAt = skip(words, at + 1, article);
  const number = readOrdinal(words, dayAt);
  const isDay = number && number.value > 0 && (number.isOrdinal || !readClock(words, dayAt, false)?.parts.isSure);
  if (isDay) return withYear(words, number.end, { month, day: number.value }, number.isOrdinal || isSureName(name));
  const [year] = /^20\d\d$/.exec(words.texts[at + 1] ?? "") ?? [];
  return {
    end: year === undefined ? at + 1 : at + 2,
    parts: { days: wholeMonth(month, fullYear(year)), isSure: false },
  };
}

const article = phrases("the");

/** May and March are also words, the short names many things. */
const isSureName = (name = ""): boolean => name.length > 4 && name !== "march";

function withYear(words: TimeWords, end: number, date: { month: number; day: number }, isSure: boolean): PartsRead {
  const [year] = /^20[2-9]\d$/.exec(words.texts[end] ?? "") ?? [];
  const days = onDates([{ ...date, year: fullYear(year) }]);
  return { end: year === undefined ? end : end + 1, parts: { days, isSure } };
}

/** `the 25th`: of this month, or of the next that has one. */
function dayOfMonth(day: number, add: number | undefined): Days {
  const of = (today: DayOfWeek) => {
    const first = add ?? (day < today.day ? 1 : 0);
    const months = [first, first + 1].map((count) => addDays({ ...today, month: today.month + count, day: 1 }, 0));
    const days = months.map((month) => ({ year: month.year, month: month.month, day })).filter(exists);
    return days.slice(0, 1);
  };
  return { is: "day", of };
}

/** A month named without a day: the next one that begins. */
function wholeMonth(month: number, year: number | undefined): Days {
  const first = (today: CalendarDay) => ({ year: year ?? today.year + (month <= today.month ? 1 : 0), month, day: 1 });
  const current = (today: CalendarDay) => (month === today.month && year === undefined ? today : first(today));
  return {
    is: "period",
    of: (today) => [first(today)],
    lastOf: (today) => addDays({ ...current(today), month: month + 1, day: 0 }, 0),
    spans: (today) => [{ first: current(today), last: addDays({ ...current(today), month: month + 1, day: 0 }, 0) }],
  };
}
