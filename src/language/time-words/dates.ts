import { isPast } from "../time-meaning/time-reading.ts";
import { clockOf, readClock } from "./clocks.ts";
import { feast, fromToday, month, nextMonthNamed, nthWeekday, onDates, theDay, week, weekend, year } from "./days.ts";
import { readCount, readNumberWord } from "./lengths.ts";
import { type Parts, type PartsRead, sure } from "./parts.ts";
import { dayPartNames, monthNames, once, phraseAt, phrasesFor, skip, type TimeWords, weekdayNames } from "./words.ts";
import { readOffset } from "./zones.ts";

/** Reads a day: in figures, with the name of a month, or in words. */
export const readDay = once(
  (words, at): PartsRead | undefined => readDate(words, at) ?? readMonth(words, at) ?? readDayInWords(words, at),
);

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
  return { end: at + 1, parts: sure({ days, ...(clock ? { clock } : {}), ...(zone ? { zones: [zone] } : {}) }) };
}

/** Day first or month first: what only fits one way is read so, the rest is left open. Dots are only written day first. */
function readNumeric(words: TimeWords, at: number): PartsRead | undefined {
  const match = /^(\d{1,2})([/.-])(\d{1,2})(?:\2(\d{4}|\d{2})|(\.))?$/.exec(words.texts[at] ?? "");
  const [, first = "", mark, second = "", shownYear, dot] = match ?? [];
  if (!match || (mark === "-" && shownYear === undefined) || (dot !== undefined && mark !== ".")) return undefined;
  const year = fullYear(shownYear);
  const dayFirst = { year, month: Number(second), day: Number(first) };
  const monthFirst = { year, month: Number(first), day: Number(second) };
  const isOnCalendar = ({ month, day }: typeof dayFirst) => month >= 1 && month <= 12 && day >= 1 && day <= 31;
  const isEither = mark !== "." && dayFirst.day !== dayFirst.month;
  const dates = (isEither ? [dayFirst, monthFirst] : [dayFirst]).filter(isOnCalendar);
  const read = { end: at + 1, parts: { days: onDates(dates), isSure: year !== undefined } };
  if (mark !== "." || year !== undefined || dot !== undefined) return dates.length === 0 ? undefined : read;
  // `18.11` may be a time or a date, unless a time follows. A time such as 4.22 is rare enough to ask, too.
  const clock = readClock(words, at, true);
  const isOdd = isOnCalendar(monthFirst) && monthFirst.day % 5 !== 0;
  if (clock && (clock.end > at + 1 || (dates.length === 0 && !isOdd))) return undefined;
  if (!clock || readClock(words, skip(words, at + 1, "at"), false)) return dates.length === 0 ? undefined : read;
  const typed = words.typed[at] ?? "";
  const problem = `“${typed}” can be a time or a date. Write ${typed.replace(".", ":")} for the time, or the month's name.`;
  return { ...read, parts: { ...read.parts, problem } };
}

const fullYear = (shown: string | undefined): number | undefined =>
  shown === undefined ? undefined : Number(shown.length === 2 ? `20${shown}` : shown);

/** Reads a date with a month's name or none: `nov 25th 2026`, `the 3rd of february`, `the 25th`, `last monday of march`, `december`. */
export const readMonth = once(
  (words, at): PartsRead | undefined => readGlued(words, at) ?? readDayFirst(words, at) ?? readMonthFirst(words, at),
);

/** `25nov`, `25-Nov-2026`, `25/Nov/2026` */
function readGlued(words: TimeWords, at: number): PartsRead | undefined {
  const [, day, name = "", year] =
    /^(\d{1,2})(?:st|nd|rd|th)?[-/]?([a-z]{3,9})(?:[-/](\d{2}|\d{4}))?$/.exec(words.texts[at] ?? "") ?? [];
  const month = monthNames.get(name);
  if (day === undefined || month === undefined) return undefined;
  const date = { month, day: Number(day) };
  if (year === undefined) return withYear(words, at + 1, date, true);
  return { end: at + 1, parts: sure({ days: onDates([{ ...date, year: fullYear(year) }]) }) };
}

function readDayFirst(words: TimeWords, at: number): PartsRead | undefined {
  const number = readOrdinal(words, at);
  if (!number) return undefined;
  const { end, value, isOrdinal, isInFigures } = number;
  const weekday = isOrdinal ? weekdayNames.get(words.texts[end] ?? "") : undefined;
  const weekdayEnd = weekday === undefined ? end : end + 1;
  const monthAt = skip(words, weekdayEnd, "of the|of|in");
  const month = monthNames.get(words.texts[monthAt] ?? "");
  const relative = phraseAt(words, weekdayEnd, relativeMonths);
  if (weekday !== undefined) {
    // `last monday of march`, `first friday of next month`
    const named = monthAt === weekdayEnd ? undefined : month;
    if (named === undefined && !relative) return undefined;
    const days = nthWeekday(weekday, value, named, relative?.means);
    return { end: relative?.end ?? monthAt + 1, parts: sure({ days }) };
  }
  const isSure = isOrdinal || isSureName(words.texts[monthAt]);
  if (month !== undefined) return withYear(words, monthAt + 1, { month, day: value }, isSure);
  // "the third" alone may be a machine.
  const isDay = isInFigures ? isOrdinal || words.texts[at - 1] === "the" : value > 3 && words.texts[at - 1] === "the";
  if (!isDay || value < 1) return undefined;
  return { end: relative?.end ?? end, parts: { days: theDay(value, relative?.means), isSure: false } };
}

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
  const glued = text.includes("-") ? text.split("-") : undefined;
  const named = glued ? ordinalIn({ texts: glued, typed: glued }, 0) : ordinalIn(words, at);
  return named && { ...named, end: glued ? at + 1 : named.end, isOrdinal: true, isInFigures: false };
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

/** `nov 25th, 2026`; `december` and `october 2027` are their first day. */
function readMonthFirst(words: TimeWords, at: number): PartsRead | undefined {
  const name = words.texts[at] ?? "";
  const month = monthNames.get(name);
  if (month === undefined) return undefined;
  const dayAt = skip(words, at + 1, "the");
  const number = readOrdinal(words, dayAt);
  const isDay = number && number.value > 0 && (number.isOrdinal || !readClock(words, dayAt, false)?.parts.isSure);
  if (isDay) return withYear(words, number.end, { month, day: number.value }, number.isOrdinal || isSureName(name));
  const [year] = /^20\d\d$/.exec(words.texts[at + 1] ?? "") ?? [];
  const days = nextMonthNamed(month, fullYear(year));
  return { end: year === undefined ? at + 1 : at + 2, parts: { days, isSure: false } };
}

/** May and March are also words, the short names many things. */
const isSureName = (name = ""): boolean => name.length > 4 && name !== "march";

function withYear(words: TimeWords, end: number, date: { month: number; day: number }, isSure: boolean): PartsRead {
  const [year] = /^20[2-9]\d$/.exec(words.texts[end] ?? "") ?? [];
  const days = onDates([{ ...date, year: fullYear(year) }]);
  return { end: year === undefined ? end : end + 1, parts: { days, isSure } };
}

/** Reads a day in words: `tomorrow`, `monday`, `next week`, `the weekend`, `a week from monday`, `end of`. */
export const readDayInWords = once(
  (words, at): PartsRead | undefined =>
    readFixed(words, at) ??
    readNext(words, at) ??
    readShift(words, at) ??
    readEdge(words, at) ??
    readWeekday(words, at),
);

const gone = sure({ problem: isPast });
const vague: Parts = { problem: "That is not an exact time. Write one such as 13:00 or “for 2h”.", isSure: false };
const today = fromToday(0);
const date = (month: number, day: number): Parts => ({ days: onDates([{ month, day }]), isSure: false });

/** Phrases that mean one thing. */
const fixed = phrasesFor<Parts>([
  ["today", sure({ days: today })],
  ["tomorrow|next day", sure({ days: fromToday(1) })],
  ["day after tomorrow", sure({ days: fromToday(2) })],
  [
    "tonight|overnight|over night|all night|all night long|whole night|entire night|rest of the night",
    sure({ days: today, dayPart: "night" }),
  ],
  ["all day", sure({ days: today, edge: "end" })],
  ["eod|cob|eob|close of business|close of play|end of business|end of play|end of work", sure({ edge: "end" })],
  ["eow", sure({ days: week(0), edge: "end" })],
  ["eom", sure({ days: month(0), edge: "end" })],
  ["weekend|whole weekend|entire weekend|all weekend", sure({ days: weekend([1]) })],
  ["christmas eve|xmas eve", date(12, 24)],
  ["christmas day|xmas day", date(12, 25)],
  ["new year's eve|new years eve|nye|silvester", date(12, 31)],
  ["new year's day|new years day|new year's|new years|new year", date(1, 1)],
  ["week after next", sure({ days: week(2) })],
  ["first thing", { dayPart: "morning", isSure: false }],
  ["christmas|xmas", { days: feast({ month: 12, day: 24 }, 2), isSure: false }],
  ["yesterday|last night|last evening|last week|last month|last year", gone],
  ["after lunch|before lunch|lunch|lunchtime|after dinner|dinner|breakfast|dawn|dusk|sunrise|sunset", vague],
  ["further notice|forever|later|soon|asap|early|late|mid", vague],
  ...[...dayPartNames].map(([name, dayPart]) => [name, { dayPart, isSure: false }] as const),
]);

function readFixed(words: TimeWords, at: number): PartsRead | undefined {
  const found = phraseAt(words, at, fixed);
  return found && { end: found.end, parts: found.means };
}

const which = phrasesFor<"next" | "this" | "last">([
  ["next|following", "next"],
  ["this coming|coming|this", "this"],
  ["last", "last"],
]);

/** `next monday`, `this weekend`, `this evening`, `last friday` */
function readNext(words: TimeWords, at: number): PartsRead | undefined {
  const found = phraseAt(words, at, which);
  if (!found) return undefined;
  const name = words.texts[found.end] ?? "";
  const end = found.end + 1;
  const index = weekdayNames.get(name);
  if (found.means === "last") return index === undefined ? undefined : { end, parts: gone };
  if (index !== undefined) return { end, parts: sure({ weekday: { index, which: found.means } }) };
  const isNext = found.means === "next";
  const dayPart = dayPartNames.get(name);
  if (dayPart) return { end, parts: sure({ days: isNext ? fromToday(1) : today, dayPart }) };
  const days = periods.get(name)?.(isNext ? 1 : 0);
  return days && { end, parts: sure({ days }) };
}

const periods = new Map([
  ["week", week],
  ["month", month],
  ["year", year],
  // In the middle of a week, the next weekend may be the one at its end or the one after.
  ["weekend", (count: number) => weekend(count === 0 ? [1] : [1, 2])],
]);

/** `a week from monday`, `2 days after tomorrow`, `a week on friday`. */
function readShift(words: TimeWords, at: number): PartsRead | undefined {
  const text = words.texts[at];
  const count = text === "day" || text === "week" ? { end: at, value: 1 } : readCount(words, at);
  const [, unit] = /^(day|week)s?$/.exec(words.texts[count?.end ?? at] ?? "") ?? [];
  if (count?.value === undefined || !Number.isInteger(count.value) || unit === undefined) return undefined;
  const end = skip(words, count.end + 1, "from|after|on|before");
  const dayAt = skip(words, end, "the");
  const day = readFixed(words, dayAt) ?? readWeekday(words, dayAt) ?? readNext(words, dayAt) ?? readMonth(words, dayAt);
  if (!day?.parts.days && !day?.parts.weekday) return undefined;
  const days = count.value * (unit === "week" ? 7 : 1);
  return { end: day.end, parts: { ...day.parts, shift: words.texts[end - 1] === "before" ? -days : days } };
}

const edges = phrasesFor<"start" | "end">([
  ["end of|rest of|remainder of|end", "end"],
  ["start of|beginning of", "start"],
]);

/** `end of`, `start of`, `rest of` a day or a period, which follows. */
function readEdge(words: TimeWords, at: number): PartsRead | undefined {
  const found = phraseAt(words, at, edges);
  if (!found) return undefined;
  const edge = found.means;
  const nameAt = skip(words, found.end, "the|this|my|our");
  const dayEnd = skip(words, nameAt, "day|working day|work day|workday|business day");
  if (dayEnd > nameAt) return { end: dayEnd, parts: sure({ edge }) };
  const name = words.texts[nameAt] ?? "";
  const days = periods.get(name)?.(0);
  if (days) return { end: nameAt + 1, parts: sure(name === "weekend" ? { days } : { days, edge }) };
  return found.end > at + 1 ? { end: found.end, parts: { edge, isSure: false } } : undefined;
}

/** `monday`, `mon`, `monday week`, `the friday after next` */
function readWeekday(words: TimeWords, at: number): PartsRead | undefined {
  const name = words.texts[at] ?? "";
  const index = weekdayNames.get(name);
  if (index === undefined) return undefined;
  const end = skip(words, at + 1, "after next|week");
  const parts: Parts = { weekday: { index, which: "coming" }, isSure: name.length > "thurs".length };
  return { end, parts: end > at + 1 ? { ...parts, shift: 7 } : parts };
}
