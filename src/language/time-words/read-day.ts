import { isPast } from "../time-meaning/time-reading.ts";
import { feast, fromToday, month, week, weekend, year } from "./days.ts";
import type { Days, Parts, PartsRead } from "./parts.ts";
import { phraseAt, phrases, phrasesFor, skip, type TimeWords } from "./phrases.ts";
import { readCount } from "./read-count.ts";
import { onDates } from "./read-date.ts";
import { readMonth } from "./read-month.ts";
import { dayPartNames, weekdayNames } from "./time-words.ts";

/** Reads a day in words: `tomorrow`, `monday`, `next week`, `the weekend`, `a week from monday`, `end of`. */
export function readDay(words: TimeWords, at: number): PartsRead | undefined {
  return (
    readFixed(words, at) ?? readNext(words, at) ?? readShift(words, at) ?? readEdge(words, at) ?? readWeekday(words, at)
  );
}

const sure = (parts: Omit<Parts, "isSure">): Parts => ({ ...parts, isSure: true });
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
  const isNext = found.means === "next";
  if (found.means === "last") return index === undefined ? undefined : { end, parts: gone };
  if (index !== undefined) return { end, parts: sure({ weekday: { index, which: isNext ? "next" : "this" } }) };
  const dayPart = dayPartNames.get(name);
  if (dayPart) return { end, parts: sure({ days: isNext ? fromToday(1) : today, dayPart }) };
  const days = periodNamed(name, isNext ? 1 : 0);
  return days && { end, parts: sure({ days }) };
}

function periodNamed(name: string, count: number): Days | undefined {
  if (name === "week") return week(count);
  if (name === "month") return month(count);
  if (name === "year") return year(count);
  // In the middle of a week, the next weekend may be the one at its end or the one after.
  return name === "weekend" ? weekend(count === 0 ? [1] : [1, 2]) : undefined;
}

const from = phrases("from|after|on|before");

/** `a week from monday`, `2 days after tomorrow`, `a week on friday`. */
function readShift(words: TimeWords, at: number): PartsRead | undefined {
  const text = words.texts[at];
  const count = text === "day" || text === "week" ? { end: at, value: 1 } : readCount(words, at);
  const [, unit] = /^(day|week)s?$/.exec(words.texts[count?.end ?? at] ?? "") ?? [];
  if (count?.value === undefined || !Number.isInteger(count.value) || unit === undefined) return undefined;
  const end = skip(words, count.end + 1, from);
  const dayAt = skip(words, end, article);
  const day = readFixed(words, dayAt) ?? readWeekday(words, dayAt) ?? readNext(words, dayAt) ?? readMonth(words, dayAt);
  if (!day?.parts.days && !day?.parts.weekday) return undefined;
  const days = count.value * (unit === "week" ? 7 : 1);
  return { end: day.end, parts: { ...day.parts, shift: words.texts[end - 1] === "before" ? -days : days } };
}

const article = phrases("the");

const edges = phrasesFor<"start" | "end">([
  ["end of|rest of|remainder of|end", "end"],
  ["start of|beginning of", "start"],
]);
const determiners = phrases("the|this|my|our");
const workDay = phrases("day|working day|work day|workday|business day");

/** `end of`, `start of`, `rest of` a day or a period, which follows. */
function readEdge(words: TimeWords, at: number): PartsRead | undefined {
  const found = phraseAt(words, at, edges);
  if (!found) return undefined;
  const edge = found.means;
  const nameAt = skip(words, found.end, determiners);
  const dayEnd = skip(words, nameAt, workDay);
  if (dayEnd > nameAt) return { end: dayEnd, parts: sure({ edge }) };
  const name = words.texts[nameAt] ?? "";
  const days = periodNamed(name, 0);
  if (days) return { end: nameAt + 1, parts: sure(name === "weekend" ? { days } : { days, edge }) };
  return found.end > at + 1 ? { end: found.end, parts: { edge, isSure: false } } : undefined;
}

const later = phrases("after next|week");

/** `monday`, `mon`, `monday week`, `the friday after next` */
function readWeekday(words: TimeWords, at: number): PartsRead | undefined {
  const name = words.texts[at] ?? "";
  const index = weekdayNames.get(name);
  if (index === undefined) return undefined;
  const end = skip(words, at + 1, later);
  const parts: Parts = { weekday: { index, which: "coming" }, isSure: name.length > "thurs".length };
  return { end, parts: end > at + 1 ? { ...parts, shift: 7 } : parts };
}
