import { weekdays } from "../../service/resources.ts";
import { calendarDay, isoDay } from "../../time/recurrence.ts";
import { addDays, weekdays as fromSunday, type Weekday } from "../../time/wall-clock.ts";
import { isOfDays, readDays } from "../day-list.ts";
import type { TimeContext } from "../read-time.ts";
import { phraseAt, phrases, phrasesFor, skip, type TimeWords } from "../time-words/phrases.ts";
import { readCount } from "../time-words/read-count.ts";
import { readDay } from "../time-words/read-day.ts";
import { readMonth } from "../time-words/read-month.ts";
import { readZone } from "../time-words/read-zone.ts";
import { timeWords, weekdayNames } from "../time-words/time-words.ts";
import { allDays, datesMeant, daysIn, daysOff, isWeek, todayOf } from "./dates-said.ts";
import { readDaysSaid } from "./days-said.ts";
import { ends, nextOf, readEnd, readFirstOrLast, readTimes } from "./recurrence-ends.ts";
import type { SeriesPartRead, SeriesParts } from "./series-parts.ts";

/** What the next words say of a series, after what is known already. */
export function readSeriesPart(
  words: TimeWords,
  at: number,
  known: SeriesParts,
  context: TimeContext,
): SeriesPartRead | undefined {
  return (
    (known.later ? undefined : readLater(words, at, context)) ??
    (known.notOn || known.without ? undefined : readNotOn(words, at, context)) ??
    (known.count ? undefined : readCounted(words, at)) ??
    ((known.lastDay || known.forMs) && known.ends ? undefined : readEnd(words, at, known, context)) ??
    readFirstOrLast(words, at, known, context) ??
    (known.ends ? undefined : readTimes(words, at)) ??
    (known.nth || known.weeks ? undefined : (readNth(words, at) ?? readWeeks(words, at))) ??
    (known.days && !known.firstDay ? undefined : readDayWords(words, at)) ??
    (known.firstDay ? undefined : readBounds(words, at, known, context)) ??
    (known.zone ? undefined : readZoneWords(words, at))
  );
}

/** `then 18:30-22:30 from 10 december` */
function readLater(words: TimeWords, at: number, context: TimeContext): SeriesPartRead | undefined {
  const times = words.texts[at] === "then" ? readTimes(words, at + 1) : undefined;
  const days = times && readDaysSaid(words, skip(words, times.end, phrases("from")), true);
  if (!days || typeof times.parts === "string") return times;
  const dates = datesMeant(days.days.days, days.days.isRange, context);
  const { starts = "", ends: until = "" } = times.parts;
  const later = { starts, ends: until, firstDay: dates[0] ?? "" };
  return { end: days.end, parts: typeof dates === "string" ? dates : { later } };
}

const exceptWords = phrases(
  "but not on|but not|not on|not during|not|except on|except for|except|excluding|without|apart from",
);

/** `not on holidays`, `except friday`, `except 3 december` */
function readNotOn(words: TimeWords, at: number, context: TimeContext): SeriesPartRead | undefined {
  const first = skip(words, at, exceptWords);
  if (first === at) return undefined;
  const days = readDaysSaid(words, skip(words, first, article), true);
  if (days) {
    const said = daysOff(days.days.days, days.days.isRange, context);
    return { end: days.end, parts: typeof said === "string" ? said : { notOn: [], ...said } };
  }
  const end = nextOf(words, first, new Set([...ends, "then"]));
  const names = words.typed
    .slice(first, end)
    .flatMap((word) => word.split(","))
    .map((word) => word.toLowerCase())
    .filter((word) => word !== "" && word !== "and" && word !== "the");
  if (names.length === 0)
    return { end: end + 1, parts: "Not on which calendar's days? Name it like “not on holidays”." };
  return { end, parts: { notOn: [...new Set(names)] } };
}

const article = phrases("the");

const counted = phrases("for the next|over the next|the next|for next|next|coming|for the coming");
const units: ReadonlyMap<string, readonly Weekday[]> = new Map(
  "days evenings nights mornings afternoons".split(" ").map((unit) => [unit, weekdays] as const),
);

/** `the next three evenings`, `the next three fridays` */
function readCounted(words: TimeWords, at: number): SeriesPartRead | undefined {
  const first = skip(words, at, counted);
  const count = first > at ? readCount(words, first) : undefined;
  const unit = words.texts[count?.end ?? -1] ?? "";
  const weekday = fromSunday[weekdayNames.get(unit.replace(/s$/, "")) ?? -1];
  const days = units.get(unit) ?? (weekday && unit.endsWith("s") ? [weekday] : undefined);
  if (!days || count?.value === undefined || !Number.isInteger(count.value)) return undefined;
  return { end: count.end + 1, parts: { days, count: weekday ? 7 * count.value : count.value } };
}

const ordinals = phrasesFor([
  ["first|1st", 1],
  ["second|2nd", 2],
  ["third|3rd", 3],
  ["fourth|4th", 4],
  ["last", -1],
]);
const ofMonth = phrases(
  "of a month|of the month|of each month|of every month|in a month|in the month|of month|a month|each month",
);

/** `first monday of a month` */
function readNth(words: TimeWords, at: number): SeriesPartRead | undefined {
  const nth = phraseAt(words, skip(words, at, article), ordinals);
  const weekday = nth && fromSunday[weekdayNames.get(words.texts[nth.end] ?? "") ?? -1];
  const end = nth && skip(words, nth.end + 1, ofMonth);
  return weekday && end && end > nth.end + 1 ? { end, parts: { nth: nth.means, days: [weekday] } } : undefined;
}

const rarely = phrasesFor([
  ["fortnight|2 weeks|two weeks|other week|second week|2nd week|other|second|2nd", 2],
  ["3 weeks|three weeks|third week|3rd week|third|3rd", 3],
  ["4 weeks|four weeks|fourth week|4th week|fourth|4th", 4],
]);

function readWeeks(words: TimeWords, at: number): SeriesPartRead | undefined {
  const weeks = phraseAt(words, at, rarely);
  return weeks && { end: weeks.end, parts: { weeks: weeks.means } };
}

const partsOfDay: ReadonlySet<string> = new Set(
  "evening night morning afternoon evenings nights mornings afternoons".split(" "),
);
const workdays = phrases("working day|working days|business day|business days|work day|work days");

/** `thu`, `weekday`, `mon and fri`, `mon-fri` */
function readDayWords(words: TimeWords, at: number): SeriesPartRead | undefined {
  const { texts, typed } = words;
  if (/^days?$/.test(texts[at] ?? "") || partsOfDay.has(texts[at] ?? "")) return daysRead("daily", at + 1);
  const work = skip(words, at, workdays);
  if (work > at) return daysRead("weekdays", partsOfDay.has(texts[work] ?? "") ? work + 1 : work);
  let end = at;
  while (end < typed.length && isOfDays(singular(texts[end] ?? ""))) end++;
  // What joins the days to something else is no part of them.
  while (end > at && /^(?:-|–|—|to|through|and|&|,)$/.test(texts[end - 1] ?? "")) end--;
  // The times of day follow: “every weekday evening from 18:00 to 22:00”.
  const after = partsOfDay.has(texts[end] ?? "") ? end + 1 : end;
  return end === at ? undefined : daysRead(texts.slice(at, end).map(singular).join(" "), after);
}

function daysRead(text: string, end: number): SeriesPartRead | undefined {
  const read = readDays(text);
  return "unknown" in read || read.days.length === 0 ? undefined : { end, parts: { days: read.days } };
}

const singular = (word: string): string => (/^(?:week|work|business)day$/.test(word) ? "weekdays" : word);

const boundLeads = phrases("in|during|over|throughout");
const starting = /^(?:from|starting|beginning)$/;

/** `in december`, `next week`, `from 1.12. to 3.12.`, `26 and 27 nov`; `from 10 dec` alone is the first day. */
function readBounds(
  words: TimeWords,
  at: number,
  { days }: SeriesParts,
  context: TimeContext,
): SeriesPartRead | undefined {
  const first = skip(words, skip(words, at, boundLeads), article);
  const period = readMonth(words, first) ?? readDay(words, first);
  const [span, ...more] = period?.parts.weekday ? [] : (period?.parts.days?.spans?.(todayOf(context)) ?? []);
  if (period && span && more.length === 0) {
    const last = period.parts.days?.is === "period" && isWeek(span) ? addDays(span.first, 6) : span.last;
    return {
      end: period.end,
      parts: { firstDay: isoDay(span.first), lastDay: isoDay(last), ...(days ? {} : { days: daysIn(span) }) },
    };
  }
  const said = readDaysSaid(words, first, true);
  if (!said) return undefined;
  const dates = datesMeant(said.days.days, said.days.isRange, context);
  if (typeof dates === "string") return { end: said.end, parts: dates };
  const [one = "", ...rest] = dates;
  const last = dates.at(-1) ?? one;
  if (rest.length === 0 && starting.test(words.texts[at - 1] ?? "")) return { end: said.end, parts: { firstDay: one } };
  const own = new Set(dates.map((date) => addDays(calendarDay(date), 0).weekday));
  const between = allDays(calendarDay(one), calendarDay(last)).filter(
    (day) => own.has(addDays(calendarDay(day), 0).weekday) && !dates.includes(day),
  );
  return {
    end: said.end,
    parts: {
      ...{ firstDay: one, lastDay: last },
      ...(days ? {} : { days: weekdays.filter((day) => own.has(day)) }),
      ...(between.length > 0 ? { notOn: between } : {}),
    },
  };
}

function readZoneWords(words: TimeWords, at: number): SeriesPartRead | undefined {
  const { end, zones: [only, ...more] = [] } = readZone(words, at) ?? { end: at };
  return only && more.length === 0 && only.aheadMs === 0 ? { end, parts: { zone: only.zone } } : undefined;
}

/**
 * The end of the words that say on which days a series comes, where only their times follow: `tue and wed next week`. `isOfWeek`: several
 * days of the week.
 */
export function readDaysOfSeries(
  typed: readonly string[],
): { readonly end: number; readonly isOfWeek: boolean } | undefined {
  const words = timeWords(typed);
  const counting = readCounted(words, 0);
  if (counting) return { end: counting.end, isOfWeek: true };
  const first = skip(words, skip(words, 0, phrases("from|on|over")), article);
  const said = readDaysSaid(words, first, true);
  const isSeveral = said !== undefined && (said.days.isRange || said.days.days.length > 1);
  if (isSeveral && said.days.days.some(({ dayPart }) => dayPart)) return undefined;
  const at = skip(words, isSeveral ? said.end : first, boundLeads);
  const bound = readMonth(words, at) ?? readDay(words, at);
  const hasBound = bound?.parts.days?.spans !== undefined;
  const isOfWeek =
    isSeveral && words.texts[0] !== "from" && said.days.days.every(({ days, weekday }) => weekday && !days);
  return hasBound ? { end: bound.end, isOfWeek } : isSeveral ? { end: said.end, isOfWeek } : undefined;
}
