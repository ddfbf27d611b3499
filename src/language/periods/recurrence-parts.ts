import { weekdays } from "../../service/resources.ts";
import { calendarDay, isoDay } from "../../time/recurrence.ts";
import { addDays, weekdays as fromSunday, type Weekday } from "../../time/wall-clock.ts";
import { isOfDays, readDays } from "../day-list.ts";
import type { TimeContext } from "../read-time.ts";
import type { Parts } from "../time-words/parts.ts";
import { phraseAt, phrases, phrasesFor, skip, type TimeWords } from "../time-words/phrases.ts";
import { readCount } from "../time-words/read-count.ts";
import { readDay } from "../time-words/read-day.ts";
import { readLength } from "../time-words/read-length.ts";
import { readMonth } from "../time-words/read-month.ts";
import { readZone } from "../time-words/read-zone.ts";
import { type DayPart, dayPartNames, weekdayNames } from "../time-words/time-words.ts";
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
  const isDated = known.isDated ?? false;
  return (
    readSmall(words, at) ??
    (known.later ? undefined : readLater(words, at, context)) ??
    (known.notOn || known.without ? undefined : readNotOn(words, at, context)) ??
    (known.count ? undefined : readCounted(words, at)) ??
    ((known.lastDay || known.forMs) && known.ends ? undefined : readEnd(words, at, known, context)) ??
    readFirstOrLast(words, at, known, context) ??
    (known.ends || readDaysSaid(words, at, true) ? undefined : readTimes(words, at)) ??
    (known.nth || known.weeks ? undefined : (readNth(words, at) ?? readWeeks(words, at))) ??
    (starting.test(words.texts[at - 1] ?? "") ? readBounds(words, at, known, context) : undefined) ??
    (isDated || (known.days && !known.firstDay) ? readAgain(words, at) : readDayWords(words, at, context)) ??
    (known.forMs ? undefined : readForLength(words, at, known)) ??
    (known.firstDay && known.lastDay ? undefined : readBounds(words, at, known, context)) ??
    (known.zone ? undefined : readZoneWords(words, at))
  );
}

const smalls = phrases(
  "from now on|as of now|starting now|from now|both of them|both|each time|only|long|alone|all|again|of|these|those|at|in a row|straight|weekly on|weekly|monthly on|monthly",
);

function readSmall(words: TimeWords, at: number): SeriesPartRead | undefined {
  if (words.texts[at] === onceWord) return { end: at + 1, parts: { isOnce: true } };
  const end = skip(words, at, smalls);
  return end > at ? { end, parts: {} } : undefined;
}

/** In front of days of the week that do not come again. */
export const onceWord = "once";

/** `each evening` of dates that are known. */
function readAgain({ texts }: TimeWords, at: number): SeriesPartRead | undefined {
  const text = texts[at] ?? "";
  if (/^days?$/.test(text)) return { end: at + 1, parts: {} };
  const part = partsOfDay.get(text);
  return part && { end: at + 1, parts: { part } };
}

/** `two weeks` */
function readForLength(
  words: TimeWords,
  at: number,
  { days, firstDay, ends }: SeriesParts,
): SeriesPartRead | undefined {
  const { end = 0, reading, months = 0 } = readLength(words, at) ?? {};
  if (!(days ?? firstDay ?? ends) && !starting.test(words.texts[end] ?? "")) return undefined;
  const ms = reading?.kind === "duration" && months === 0 ? reading.ms : 0;
  return ms > 0 && ms % dayMs === 0 ? { end, parts: { forMs: ms } } : undefined;
}

const dayMs = 86_400_000;

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
  [
    "but not on|but not|not on|not during|not|except on|except for|except|excluding|without|apart from|other than",
    "but leave out|but without|but skip|leave out|leaving out|just skip|skipping|skip|with the exception of",
  ].join("|"),
);
const outWords = phrases("is not|not|is excluded|excluded|is out|is off|off|exempt|not included");

/** `not on holidays`, `except friday`, `except 3 december` */
function readNotOn(words: TimeWords, at: number, context: TimeContext): SeriesPartRead | undefined {
  const first = skip(words, at, exceptWords);
  const days = readDaysSaid(words, skip(words, skip(words, first, on), article), true);
  // `wednesday not`
  const out = days && first === at ? skip(words, days.end, outWords) : 0;
  if (days && out > days.end) {
    const said = daysOff(days.days.days, days.days.isRange, context);
    return { end: out, parts: typeof said === "string" ? said : { notOn: [], ...said } };
  }
  if (first === at) return undefined;
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
const on = phrases("on");

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
  ["biweekly on|biweekly|fortnightly on|fortnightly", 2],
  ["fortnight|2 weeks|two weeks|other week|second week|2nd week|other|second|2nd", 2],
  ["3 weeks|three weeks|third week|3rd week|third|3rd", 3],
  ["4 weeks|four weeks|fourth week|4th week|fourth|4th", 4],
]);

function readWeeks(words: TimeWords, at: number): SeriesPartRead | undefined {
  const isEvery = at === 0 || /^(?:every|each)$/.test(words.texts[at - 1] ?? "") || /ly$/.test(words.texts[at] ?? "");
  const weeks = isEvery ? phraseAt(words, at, rarely) : undefined;
  return weeks && { end: weeks.end, parts: { weeks: weeks.means } };
}

const partsOfDay: ReadonlyMap<string, DayPart> = new Map(
  [...dayPartNames].flatMap(([name, part]) => [[name, part] as const, [`${name}s`, part] as const]),
);
const workdays = phrases("working day|working days|business day|business days|work day|work days");

/** `thu`, `weekday`, `mon and fri`, `mon-fri` */
function readDayWords(words: TimeWords, at: number, context: TimeContext): SeriesPartRead | undefined {
  const { texts } = words;
  if (/^(?:days?|daily|nightly|everyday)$/.test(texts[at] ?? "") || partsOfDay.has(texts[at] ?? ""))
    return daysRead(words, "daily", at, at + 1);
  const work = skip(words, at, workdays);
  if (work > at) return daysRead(words, "weekdays", work, work);
  let end = at;
  while (end < texts.length && isOfDays(singular(texts[end] ?? ""))) end++;
  // What joins the days to something else is no part of them.
  while (end > at && /^(?:-|–|—|to|through|and|&|,)$/.test(texts[end - 1] ?? "")) end--;
  if (end === at) return undefined;
  const said = readDaysSaid(words, at, true);
  const isOnce = said && said.end >= end && !said.days.isRange && said.days.days.every(isDayOfWeek);
  const coming = isOnce ? datesMeant(said.days.days, false, context, true) : undefined;
  return daysRead(words, texts.slice(at, end).map(singular).join(" "), end, end, coming);
}

const isDayOfWeek = ({ weekday, days, shift }: Parts): boolean =>
  weekday?.which === "coming" && !days && shift === undefined;

/** The times of day follow: “every weekday evening from 18:00 to 22:00”. */
function daysRead(
  { texts }: TimeWords,
  text: string,
  partAt: number,
  end: number,
  coming?: SeriesParts["coming"],
): SeriesPartRead | undefined {
  const read = readDays(text);
  const part = partsOfDay.get(texts[partAt] ?? "");
  if ("unknown" in read || read.days.length === 0) return undefined;
  const parts = { days: read.days, ...(part ? { part } : {}), ...(coming ? { coming } : {}) };
  return { end: Math.max(end, part ? partAt + 1 : 0), parts };
}

const singular = (word: string): string => (/^(?:week|work|business)day$/.test(word) ? "weekdays" : word);

const boundLeads = phrases("in|during|over|throughout|for");
const starting = /^(?:from|starting|beginning)$/;
const weekOf = phrases("the week of|week of|week beginning|week starting");
const weekFrom = phrases("the week|week");
const onwards = phrases("on|onwards|onward");

/** `in december`, `next week`, `from 1.12. to 3.12.`, `26 and 27 nov`; `from 10 dec` alone is the first day. */
function readBounds(
  words: TimeWords,
  at: number,
  { days }: SeriesParts,
  context: TimeContext,
): SeriesPartRead | undefined {
  const lead = skip(words, skip(words, at, boundLeads), article);
  const isWeek = skip(words, lead, weekOf) > lead;
  const first = isWeek ? skip(words, lead, weekOf) : skip(words, skip(words, lead, weekFrom), joinFrom);
  const isFirst = starting.test(words.texts[at - 1] ?? "");
  const span = isWeek ? weekWith(words, first, context) : periodAt(words, lead, context);
  if (span && isFirst) return { end: skip(words, span.end, onwards), parts: { firstDay: span.firstDay } };
  if (span) {
    const { end, firstDay, lastDay } = span;
    return { end, parts: { firstDay, lastDay, ...(days ? {} : { days: span.days }) } };
  }
  const said = readDaysSaid(words, first, true);
  if (!said) return undefined;
  const dates = datesMeant(said.days.days, said.days.isRange, context);
  if (typeof dates === "string") return { end: said.end, parts: dates };
  const [one = "", ...rest] = dates;
  if (rest.length === 0 && isFirst) return { end: skip(words, said.end, onwards), parts: { firstDay: one } };
  return { end: said.end, parts: onDates(dates, days) };
}

const joinFrom = phrases("from");

/** On these days and no others. */
export function onDates(dates: readonly string[], days?: readonly Weekday[]): SeriesParts {
  const [one = "", last = one] = [dates[0], dates.at(-1)];
  const own = new Set(dates.map((date) => addDays(calendarDay(date), 0).weekday));
  const between = allDays(calendarDay(one), calendarDay(last)).filter(
    (day) => own.has(addDays(calendarDay(day), 0).weekday) && !dates.includes(day),
  );
  return {
    ...{ firstDay: one, lastDay: last },
    ...(days ? {} : { days: weekdays.filter((day) => own.has(day)), isDated: true }),
    ...(between.length > 0 ? { notOn: between } : {}),
  };
}

interface Bounds {
  readonly end: number;
  readonly firstDay: string;
  readonly lastDay: string;
  readonly days: readonly Weekday[];
}

/** `next week`, `december`, `the weekend` */
function periodAt(words: TimeWords, at: number, context: TimeContext): Bounds | undefined {
  const period = readMonth(words, at) ?? readDay(words, at);
  const [span, ...more] = period?.parts.weekday ? [] : (period?.parts.days?.spans?.(todayOf(context)) ?? []);
  if (!period || !span || more.length > 0) return undefined;
  const last = period.parts.days?.is === "period" && isWeek(span) ? addDays(span.first, 6) : span.last;
  return { end: period.end, firstDay: isoDay(span.first), lastDay: isoDay(last), days: daysIn(span) };
}

/** The week of a day: `dec 14` */
function weekWith(words: TimeWords, at: number, context: TimeContext): Bounds | undefined {
  const said = readDaysSaid(words, at, true);
  const [date] = said?.days.days.length === 1 ? datesMeant(said.days.days, false, context) : [];
  if (!said || date === undefined) return undefined;
  const day = addDays(calendarDay(date), 0);
  const monday = addDays(day, -((fromSunday.indexOf(day.weekday) + 6) % 7));
  const [firstDay, lastDay] = [isoDay(monday), isoDay(addDays(monday, 6))];
  return { end: said.end, firstDay, lastDay, days: weekdays.slice(0, 5) };
}

function readZoneWords(words: TimeWords, at: number): SeriesPartRead | undefined {
  const { end, zones: [only, ...more] = [] } = readZone(words, at) ?? { end: at };
  return only && more.length === 0 && only.aheadMs === 0 ? { end, parts: { zone: only.zone } } : undefined;
}
