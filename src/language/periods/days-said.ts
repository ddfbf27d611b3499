import type { Parts } from "../time-words/parts.ts";
import { phrases, skip, type TimeWords } from "../time-words/phrases.ts";
import { readDate } from "../time-words/read-date.ts";
import { readDay } from "../time-words/read-day.ts";
import { readMonth } from "../time-words/read-month.ts";
import { dayPartNames, weekdayNames } from "../time-words/time-words.ts";

/** Days as they were said: one, several, or from one to another. */
export interface DaysSaid {
  readonly days: readonly Parts[];
  readonly isRange: boolean;
}

export interface DaysRead {
  readonly end: number;
  readonly days: DaysSaid;
}

const joins = phrases(", and|,|and|&|+|plus");
const ranges = phrases("-|–|—|to|through|thru");
const inThe = phrases("in the");
const small = phrases("on|the|,");

/**
 * `tomorrow`, `thursday and friday`, `sat-sun`, `Thu, Nov 26, 2026`. `isSure`: also names that may be something else, such as `sat`.
 * `isPartSaid`: also `monday in the morning`.
 */
export function readDaysSaid(
  words: TimeWords,
  start: number,
  isSure: boolean,
  isPartSaid = false,
): DaysRead | undefined {
  const glued = gluedDays(words, start);
  if (glued) return isSure ? glued : undefined;
  const first = readOneDay(words, start, isPartSaid);
  if (!first || !(isSure || first.parts.isSure)) return undefined;
  const days = [first.parts];
  let end = first.end;
  const to = skip(words, end, ranges);
  const last = to > end ? readOneDay(words, to) : undefined;
  if (last) return { end: last.end, days: { days: [...days, last.parts], isRange: true } };
  for (;;) {
    const next = readOneDay(words, skip(words, skip(words, end, joins), small));
    if (!next || next.end <= end) return { end, days: { days, isRange: false } };
    days.push(next.parts);
    end = next.end;
  }
}

/** `sat-sun`, `thu+fri`, `thu/fri` */
function gluedDays({ texts, typed }: TimeWords, at: number): DaysRead | undefined {
  const [, one = "", sign = "", other = ""] = /^([a-z]+)([-–—+&/])([a-z]+)$/.exec(texts[at] ?? "") ?? [];
  const days = [one, other].map((text) => readDay({ texts: [text], typed }, 0)?.parts);
  const said = days.flatMap((parts) => (parts?.weekday ? [parts] : []));
  return said.length === 2 ? { end: at + 1, days: { days: said, isRange: /[-–—]/.test(sign) } } : undefined;
}

interface OneDay {
  readonly end: number;
  readonly parts: Parts;
}

/** A day, with the weekday and the part of the day that are said with it. */
function readOneDay(words: TimeWords, at: number, isPartSaid = false): OneDay | undefined {
  const read = readDayOrDate(words, at);
  if (!read || !isDay(read.parts)) return undefined;
  // `2 days from monday` is a length and a start as well, unlike `monday week`.
  if (read.parts.shift !== undefined && !weekdayNames.has(words.texts[at] ?? "")) return undefined;
  const { weekday, days, dayPart } = read.parts;
  const next = skip(words, read.end, small);
  const date = weekday && !days ? readDayOrDate(words, next) : undefined;
  if (date?.parts.days && !date.parts.weekday && !date.parts.dayPart)
    return { end: date.end, parts: { ...read.parts, days: date.parts.days, isSure: true } };
  const also = days && !weekday ? weekdayBehind(words, next) : undefined;
  if (also) return { end: also.end, parts: { ...read.parts, weekday: also.parts.weekday, isSure: true } };
  const partAt = isPartSaid ? skip(words, read.end, inThe) : read.end;
  const part = dayPart ? undefined : dayPartNames.get(words.texts[partAt] ?? "");
  return part ? { end: partAt + 1, parts: { ...read.parts, dayPart: part, isSure: true } } : read;
}

/** `tomorrow, tuesday`, `next week friday` */
function weekdayBehind(words: TimeWords, at: number) {
  const read = readDay(words, at);
  const { weekday, days, shift } = read?.parts ?? {};
  return read && weekday?.which === "coming" && !days && shift === undefined
    ? { end: read.end, parts: { weekday } }
    : undefined;
}

const readDayOrDate = (words: TimeWords, at: number): OneDay | undefined =>
  readDate(words, at) ?? readMonth(words, at) ?? readDay(words, at);

const isDay = ({ days, weekday, clock, edge, problem }: Parts): boolean =>
  (days !== undefined || weekday !== undefined) && !clock && !edge && problem === undefined;
