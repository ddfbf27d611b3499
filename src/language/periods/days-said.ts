import { readDay, readDayInWords, readMonth } from "../time-words/dates.ts";
import { week } from "../time-words/days.ts";
import { isComingWeekday, isDay, type Parts, type PartsRead } from "../time-words/parts.ts";
import {
  dayPartNames,
  monthNames,
  once,
  phraseAt,
  phrasesFor,
  skip,
  type TimeWords,
  weekdayNames,
} from "../time-words/words.ts";

/** Days as they were said: one, several, or from one to another. */
export interface DaysSaid {
  readonly days: readonly Parts[];
  readonly isRange: boolean;
}

export interface DaysRead extends DaysSaid {
  readonly end: number;
}

const joins = ", and|,|and also|and again|and on|and|&|+|plus";
const ranges = "-|–|—|to|through|thru";
const small = "on|the|,";

/**
 * `tomorrow`, `thursday and friday`, `sat-sun`, `Thu, Nov 26, 2026`. `isSure`: also names that may be something else, such as `sat`.
 * `isPartSaid`: also `monday in the morning`.
 */
export const readDaysSaid = once((words, start, isSure: boolean, isPartSaid?: boolean): DaysRead | undefined => {
  const glued = gluedDays(words, start);
  if (glued) return isSure ? inWeek(words, glued) : undefined;
  const several = datesOfMonth(words, start) ?? nightBetween(words, start);
  if (several) return several;
  const first = readOneDay(words, start, isPartSaid);
  if (!first || !(isSure || first.parts.isSure)) return undefined;
  const days = [first.parts];
  let end = first.end;
  const to = skip(words, end, ranges);
  const last = to > end ? readOneDay(words, to) : undefined;
  if (last) return inWeek(words, { end: last.end, days: [...days, last.parts], isRange: true });
  for (;;) {
    const at = skip(words, skip(words, end, joins), small);
    const next = readOneDay(words, at) ?? dayAfter(words, at, days.at(-1));
    if (!next || next.end <= end) return inWeek(words, { end, days, isRange: false });
    days.push(next.parts);
    end = next.end;
  }
});

/** `tomorrow and the day after` */
function dayAfter(words: TimeWords, at: number, before: Parts | undefined): PartsRead | undefined {
  const end = skip(words, at, "day after|next day|following day");
  return before && end > at ? { end, parts: { ...before, shift: (before.shift ?? 0) + 1 } } : undefined;
}

const weeks = phrasesFor([
  ["of next week|in next week|next week|the week after|of the coming week|the coming week", 1],
  ["of this week|this week", 0],
  ["of the week after next|the week after next|week after next", 2],
]);

/** `thursday and friday next week`, `next week tuesday to thursday` */
function inWeek(words: TimeWords, { end, days, isRange }: DaysRead): DaysRead {
  const [first] = days;
  const own = first?.days?.is === "period" && first.weekday ? first.days : undefined;
  const behind = own ? undefined : phraseAt(words, skip(words, end, small), weeks);
  const that = own ?? (behind && week(behind.means));
  const isOfWeek = days.slice(own ? 1 : 0).every(isComingWeekday) && first?.shift === undefined;
  if (!that || !isOfWeek) return { end, days, isRange };
  return { end: behind?.end ?? end, days: days.map((parts) => ({ ...parts, days: that, isSure: true })), isRange };
}

/** `sat-sun`, `thu+fri`, `thu/fri` */
function gluedDays({ texts }: TimeWords, at: number): DaysRead | undefined {
  const [, one = "", sign = "", other = ""] = /^([a-z]+)([-–—+&/])([a-z]+)$/.exec(texts[at] ?? "") ?? [];
  if (!weekdayNames.has(one) || !weekdayNames.has(other)) return undefined;
  const days = [one, other].flatMap((text) => readDayInWords({ texts: [text], typed: [] }, 0)?.parts ?? []);
  return { end: at + 1, days, isRange: /[-–—]/.test(sign) };
}

/** `1, 8 and 15 december`, `28/29 nov`, `7 to 11 december`, `dec 1, 8 and 15` */
function datesOfMonth(words: TimeWords, at: number): DaysRead | undefined {
  const isFirst = monthNames.has(words.texts[at] ?? "");
  const list = numbersAt(words, isFirst ? at + 1 : at, isFirst);
  const monthAt = skip(words, list.end, "of");
  const name = words.texts[isFirst ? at : monthAt] ?? "";
  if (list.numbers.length < 2) return undefined;
  // `28 and 29` are no times of day.
  const isDay = list.isOrdinal || list.numbers.some((day) => Number(day) > 24);
  const isOfMonth = !monthNames.has(name) && isDay && !list.isRange;
  if (!monthNames.has(name) && !isOfMonth) return undefined;
  const textsOf = (day: string) => (isOfMonth ? [`${Number(day)}th`] : [name, day]);
  const days = list.numbers.flatMap((day) => readMonth({ texts: textsOf(day), typed: [] }, 0)?.parts ?? []);
  if (isOfMonth) return { end: list.end, days, isRange: false };
  if (days.some((parts) => parts.days?.is !== "day")) return undefined;
  return { end: isFirst ? list.end : monthAt + 1, days, isRange: list.isRange };
}

/** The days of a month that follow each other, not the times of day behind a date: `dec 1, 8-20`. */
function numbersAt(words: TimeWords, start: number, isBehindMonth: boolean) {
  const numbers: string[] = [];
  let [end, at, isRange, isOrdinal] = [start, start, false, true];
  for (;;) {
    const text = words.texts[at] ?? "";
    const each = ordinalsInWords.has(text)
      ? [String(ordinalsInWords.get(text))]
      : /^\d{1,2}(?:st|nd|rd|th)?(?:\/\d{1,2})*$/.test(text)
        ? text.replace(/[a-z]/g, "").split("/")
        : [];
    const isRising = each.every((day, index) => Number(day) > Number(each[index - 1] ?? numbers.at(-1) ?? 0));
    const isTime =
      numbers.length > 0 && isBehindMonth && /^(?:-|–|:|h|am|pm|o'clock|to)$/.test(words.texts[at + 1] ?? "");
    if (each.length === 0 || !isRising || isTime) break;
    isOrdinal &&= !/^[\d/]+$/.test(text);
    numbers.push(...each.map((day) => day.padStart(2, "0")));
    end = at + 1;
    const to = numbers.length === 1 ? skip(words, end, ranges) : end;
    isRange ||= to > end;
    at = to > end ? to : skip(words, skip(words, end, joins), small);
    const isJoined = at > end || words.typed[at - 1]?.endsWith(",") === true;
    if (!isJoined || (isRange && numbers.length > 1)) break;
  }
  return { numbers, end, isRange, isOrdinal };
}

const ordinalsInWords = new Map(
  "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth twenty-first twenty-second twenty-third twenty-fourth twenty-fifth twenty-sixth twenty-seventh twenty-eighth twenty-ninth thirtieth thirty-first"
    .split(" ")
    .map((word, index) => [word, index + 1] as const),
);

const nights =
  "the night from|the night between|the night of|the night before|night from|night between|night of|night before";

/** `the night from friday to saturday`, `the night of 3 december` */
function nightBetween(words: TimeWords, at: number): DaysRead | undefined {
  const lead = skip(words, at, nights);
  const first = lead === at ? undefined : readDay(words, skip(words, lead, small));
  if (!first || !isDay(first.parts) || first.parts.dayPart) return undefined;
  const to = skip(words, first.end, "-|–|to|till|until|and|on");
  const last = to === first.end ? first : readDay(words, skip(words, to, small));
  if (!last) return undefined;
  const isBefore = words.texts[lead - 1] === "before";
  const parts: Parts = { ...first.parts, dayPart: "night", isSure: true, ...(isBefore ? { shift: -1 } : {}) };
  return { end: last.end, days: [parts], isRange: false };
}

/** A day, with the weekday and the part of the day that are said with it. */
function readOneDay(words: TimeWords, at: number, isPartSaid = false): PartsRead | undefined {
  const read = readDay(words, at);
  if (!read || !isDay(read.parts)) return undefined;
  const { weekday, days, dayPart, shift } = read.parts;
  // `2 days from monday` is a length and a start as well, unlike `monday week`.
  if (shift !== undefined && !weekdayNames.has(words.texts[at] ?? "")) return undefined;
  const next = skip(words, read.end, small);
  const date = weekday && !days ? readDay(words, next) : undefined;
  if (date?.parts.days && !date.parts.weekday && !date.parts.dayPart)
    return { end: date.end, parts: { ...read.parts, days: date.parts.days, isSure: true } };
  // `tomorrow, tuesday`, `next week friday`
  const also = days && !weekday ? readDayInWords(words, next) : undefined;
  if (also?.parts.weekday && isComingWeekday(also.parts)) {
    // In `tonight, thu and fri` they are others.
    const joined = skip(words, also.end, joins);
    const isList = days?.is !== "period" && joined > also.end && readDayInWords(words, joined) !== undefined;
    if (!isList) return { end: also.end, parts: { ...read.parts, weekday: also.parts.weekday, isSure: true } };
  }
  const partAt = isPartSaid ? skip(words, read.end, "in the") : read.end;
  const part = dayPart ? undefined : dayPartNames.get(words.texts[partAt] ?? "");
  return part ? { end: partAt + 1, parts: { ...read.parts, dayPart: part, isSure: true } } : read;
}
