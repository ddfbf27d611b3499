import { weekdays } from "../../service/resources.ts";
import { calendarDay, isoDay } from "../../time/recurrence.ts";
import {
  addDays,
  clockText,
  weekdays as fromSunday,
  type Weekday,
  wallClockAt,
  weekdayOf,
} from "../../time/wall-clock.ts";
import { ianaZone } from "../../time/zone.ts";
import { isOfDays, readDays } from "../day-list.ts";
import { readTime } from "../read-time.ts";
import { daysMeant, todayOf } from "../time-meaning/days-meant.ts";
import { inPartOfDay } from "../time-meaning/open-clock.ts";
import type { TimeContext } from "../time-meaning/time-reading.ts";
import { readClock } from "../time-words/clocks.ts";
import { readDate, readDay, readMonth } from "../time-words/dates.ts";
import { readCount, readMs } from "../time-words/lengths.ts";
import { type DaySpan, isComingWeekday, type PartsRead } from "../time-words/parts.ts";
import { readClockInPart } from "../time-words/read-parts.ts";
import {
  type DayPart,
  dayPartNames,
  phraseAt,
  phrasesFor,
  type SaidWords,
  skip,
  type TimeWords,
  weekdayNames,
} from "../time-words/words.ts";
import { readZone } from "../time-words/zones.ts";
import { readClockRange } from "./clock-range.ts";
import { type DaysSaid, readDaysSaid } from "./days-said.ts";

/** What the words of a series say. */
export interface SeriesParts {
  readonly days?: readonly Weekday[];
  readonly starts?: string;
  readonly ends?: string;
  readonly zone?: string;
  readonly firstDay?: string;
  readonly lastDay?: string;
  /** A length from the first day on, in ms. */
  readonly forMs?: number;
  /** So many days of the calendar, from the next one on. */
  readonly count?: number;
  readonly weeks?: number;
  readonly nth?: number;
  readonly notOn?: readonly string[];
  readonly later?: { readonly starts: string; readonly ends: string; readonly firstDay: string };
  /** Days of the week that are left out. */
  readonly without?: readonly Weekday[];
  /** The part of the day in which its times end. */
  readonly part?: DayPart;
  /** The dates on which days of the week come next that were said once: “thursday and friday”. */
  readonly coming?: readonly string[] | string;
  /** It was said by its dates. */
  readonly isDated?: true;
  /** Days of the week are those that come next: “once thursday and friday”. */
  readonly isOnce?: true;
  /** A word says that it comes again. */
  readonly isAgain?: true;
}

export interface SeriesPartRead {
  readonly end: number;
  /** Or why it cannot be used, in sentences. */
  readonly parts: SeriesParts | string;
}

/** What the next words say of a series, after what is known already. */
export function readSeriesPart(words: SaidWords, at: number, known: SeriesParts): SeriesPartRead | undefined {
  const isDated = known.isDated ?? false;
  return (
    readSmall(words, at) ??
    (known.later ? undefined : readLater(words, at)) ??
    (known.notOn || known.without ? undefined : readNotOn(words, at)) ??
    (known.count ? undefined : readCounted(words, at)) ??
    ((known.lastDay || known.forMs) && known.ends ? undefined : readEnd(words, at, known)) ??
    (known.ends || readDaysSaid(words, at, true) ? undefined : readTimes(words, at)) ??
    (known.nth || known.weeks ? undefined : (readNth(words, at) ?? readWeeks(words, at))) ??
    (starting.test(words.texts[at - 1] ?? "") ? readBounds(words, at, known) : undefined) ??
    (isDated || (known.days && !known.firstDay) ? readAgain(words, at) : readDayWords(words, at)) ??
    (known.forMs ? undefined : readForLength(words, at, known)) ??
    (known.firstDay && known.lastDay ? undefined : readBounds(words, at, known)) ??
    (known.zone ? undefined : readZoneWords(words, at))
  );
}

const smalls =
  "from now on|as of now|starting now|from now|both of them|both|each time|only|long|alone|all|again|of|these|those|at|in a row|straight|weekly on|weekly|monthly on|monthly";

function readSmall(words: TimeWords, at: number): SeriesPartRead | undefined {
  if (words.texts[at] === onceWord) return { end: at + 1, parts: { isOnce: true } };
  const end = skip(words, at, smalls);
  return end > at ? { end, parts: {} } : undefined;
}

/** In front of days of the week that do not come again. */
export const onceWord = "once";

/** `then 18:30-22:30 from 10 december` */
function readLater(words: SaidWords, at: number): SeriesPartRead | undefined {
  const times = words.texts[at] === "then" ? readTimes(words, at + 1) : undefined;
  const days = times && readDaysSaid(words, skip(words, times.end, "from"), true);
  if (!days || typeof times.parts === "string") return times;
  const dates = datesMeant(days, words.context);
  const { starts = "", ends = "" } = times.parts;
  const later = { starts, ends, firstDay: dates[0] ?? "" };
  return { end: days.end, parts: typeof dates === "string" ? dates : { later } };
}

/** `18:00-22:00`, `18:00 to 22:00`, `from 6pm until 10pm` */
function readTimes(words: TimeWords, at: number): SeriesPartRead | undefined {
  // `1.12. to 3.12.` are days.
  const { range, end = 0 } = (words.texts[at]?.endsWith(".") ? undefined : readClockRange(words, at)) ?? {};
  if (range === undefined) return undefined;
  return { end, parts: typeof range === "string" ? range : { starts: range.starts, ends: range.ends } };
}

const exceptWords = [
  "but not on|but not|not on|not during|not|except on|except for|except|excluding|without|apart from|other than",
  "but leave out|but without|but skip|leave out|leaving out|just skip|skipping|skip|with the exception of",
].join("|");

/** `not on holidays`, `except friday`, `except 3 december`, `wednesday not` */
function readNotOn(words: SaidWords, at: number): SeriesPartRead | undefined {
  const first = skip(words, at, exceptWords);
  const days =
    readDaysSaid(words, skip(words, skip(words, first, "on"), "the"), true) ??
    (first > at ? bareDay(words, first) : undefined);
  const out = days && skip(words, days.end, "is not|not|is excluded|excluded|is out|is off|off|exempt|not included");
  if (days && out && (first > at || out > days.end)) {
    const said = daysOff(days, words.context);
    return { end: first > at ? days.end : out, parts: typeof said === "string" ? said : { notOn: [], ...said } };
  }
  if (first === at) return undefined;
  const end = nextOf(words, first, (text) => endWords.has(text) || text === "then");
  const names = words.typed
    .slice(first, end)
    .flatMap((word) => word.toLowerCase().split(","))
    .filter((word) => word !== "" && word !== "and" && word !== "the");
  if (names.length === 0)
    return { end: end + 1, parts: "Not on which calendar's days? Name it like “not on holidays”." };
  return { end, parts: { notOn: [...new Set(names)] } };
}

/** `except the 16` */
function bareDay(words: TimeWords, at: number): ReturnType<typeof readDaysSaid> {
  const day = skip(words, skip(words, at, "on"), "the");
  const isDay = /^\d{1,2}$/.test(words.texts[day] ?? "");
  const read = isDay ? readDay({ texts: [`${words.texts[day]}th`], typed: [] }, 0) : undefined;
  return read && { end: day + 1, days: [read.parts], isRange: false };
}

/** Days of the week alone as `without`, others as the dates that they are. */
function daysOff(said: DaysSaid, context: TimeContext): Pick<SeriesParts, "notOn" | "without"> | string {
  const isOfWeek = said.days.every(({ days, weekday, shift }) => weekday && !days && shift === undefined);
  if (isOfWeek) {
    const names = said.days.map(({ weekday }) => fromSunday[weekday?.index ?? 0]).join(said.isRange ? "-" : " ");
    const read = readDays(names);
    return "unknown" in read ? names : { without: read.days };
  }
  const dates = datesMeant(said, context);
  return typeof dates === "string" ? dates : { notOn: dates };
}

/** `the next three evenings`, `the next three fridays` */
function readCounted(words: TimeWords, at: number): SeriesPartRead | undefined {
  const first = skip(words, at, "for the next|over the next|the next|for next|next|coming|for the coming");
  const count = first > at ? readCount(words, first) : undefined;
  const unit = words.texts[count?.end ?? -1] ?? "";
  const weekday = fromSunday[weekdayNames.get(unit.replace(/s$/, "")) ?? -1];
  const isDaily = /^(?:days|evenings|nights|mornings|afternoons)$/.test(unit);
  const days = isDaily ? weekdays : weekday && unit.endsWith("s") ? [weekday] : undefined;
  if (!days || count?.value === undefined || !Number.isInteger(count.value)) return undefined;
  return { end: count.end + 1, parts: { days, count: weekday ? 7 * count.value : count.value } };
}

const endWords: ReadonlySet<string> = new Set(["until", "till", "til", "for", "through", "thru"]);
const otherWords: ReadonlySet<string> = new Set(
  "but not except excluding without apart from starting in during then up leave skip skipping each every last final".split(
    " ",
  ),
);
const endLeads =
  "until and including|up to and including|up to and with|up to|up till|until|till|til|for|through|thru|before";
const small = "on|the|,|in|all";

/** Where the next such word is, or the end. */
function nextOf({ texts }: TimeWords, from: number, isWanted: (text: string) => boolean): number {
  const found = texts.findIndex((text, index) => index >= from && isWanted(text));
  return found === -1 ? texts.length : found;
}

/** `until 2026-12-31` includes that day, `for 3 weeks` counts from the first; `until 22:00` is the end of each time. */
function readEnd(words: SaidWords, at: number, { ends: known, zone, part }: SeriesParts): SeriesPartRead | undefined {
  const first = skip(words, at, endLeads);
  if (first === at) return undefined;
  const days = words.texts[at] === "before" ? readDaysSaid(words, skip(words, first, small), true) : undefined;
  const dates = days && datesMeant({ ...days, isRange: false }, words.context);
  if (days && typeof dates === "object")
    return { end: days.end, parts: { lastDay: isoDay(addDays(calendarDay(dates[0] ?? ""), -1)) } };
  const length = words.texts[at] === "for" ? readMs(words, first) : undefined;
  if (length) return { end: length.end, parts: { forMs: length.ms } };
  const next = nextOf(words, first, (text) => endWords.has(text) || otherWords.has(text));
  const clock = known === undefined ? (endInPart(words, first) ?? endOfTimes(words, first, next, part)) : undefined;
  if (clock) return clock;
  // In `until christmas 19:00-20:00` the times of day follow the last day.
  const times = words.texts.findIndex((_text, index) => index > first && index < next && readTimes(words, index));
  const end = known === undefined && times !== -1 ? times : next;
  const lead = words.texts[at] === "up" ? "through" : (words.typed[at] ?? "");
  const typed = [lead, ...words.typed.slice(first, end)];
  const read = readTime(typed, words.context);
  const day = (moment: number) => isoDay(wallClockAt(moment, ianaZone(zone ?? words.context.zone) ?? "UTC"));
  switch (read?.kind) {
    case "length":
      return { end, parts: { forMs: read.ms } };
    case "moment":
      return { end, parts: { lastDay: day(read.at) } };
    case "choice": {
      const [lastDay, ...others] = new Set(read.options.map((option) => day(option.at)));
      return { end, parts: lastDay && others.length === 0 ? { lastDay } : read.reason };
    }
    case "invalid":
      return { end, parts: read.reason };
    default:
      return { end, parts: `I could not read “${typed.join(" ")}” as the last day. Write it like “until 2026-12-31”.` };
  }
}

/** `half past eight in the evening` */
function endInPart(words: TimeWords, at: number): SeriesPartRead | undefined {
  const { end = at, parts } = readClockInPart(words, at) ?? {};
  const [minutes] = parts ? inPartOfDay(parts.clock, parts.dayPart, true) : [];
  return minutes === undefined ? undefined : { end, parts: { ends: clockText(minutes) } };
}

/** `22:00`, where it is a time of day and no last day. */
function endOfTimes(words: TimeWords, at: number, next: number, part?: DayPart): SeriesPartRead | undefined {
  const read = readClock(words, at, true);
  const { clock } = read?.parts ?? {};
  if (!read || !clock || !isAlone(words, at, read, next)) return undefined;
  const { hour, minute, isOpen, written } = clock;
  const isSure = !isOpen || hour > 12 || written === "with a colon";
  const [minutes] = isSure ? [hour * 60 + minute] : part ? inPartOfDay(clock, part, true) : [];
  const open = `“${words.typed[at]}” may be before or after noon. Write the times like 18:00-22:00.`;
  return { end: read.end, parts: minutes === undefined ? open : { ends: clockText(minutes) } };
}

/** Whether a time of day ends here: nothing follows it, or the days on which it is. */
function isAlone(words: TimeWords, at: number, { end, parts }: PartsRead, next: number): boolean {
  if (end === next || /[:.]\d\d|[ap]m$|\dh$/.test(words.texts.slice(at, end).join(""))) return true;
  if (readMonth(words, at) ?? readDate(words, at)) return false;
  return (parts.clock?.hour ?? 0) > 12 || readDaysSaid(words, skip(words, end, small), true) !== undefined;
}

const ordinals = phrasesFor([
  ["first|1st", 1],
  ["second|2nd", 2],
  ["third|3rd", 3],
  ["fourth|4th", 4],
  ["last", -1],
]);
const ofMonth =
  "of a month|of the month|of each month|of every month|in a month|in the month|of month|a month|each month";

/** `first monday of a month` */
function readNth(words: TimeWords, at: number): SeriesPartRead | undefined {
  const nth = phraseAt(words, skip(words, at, "the"), ordinals);
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
  // "the 3rd and the 4th" are days.
  if (
    weeks &&
    at === 0 &&
    /^\d(?:nd|rd|th)$/.test(words.texts[at] ?? "") &&
    !/^(?:week|\w*day)/.test(words.texts[at + 1] ?? "")
  )
    return undefined;
  return weeks && { end: weeks.end, parts: { weeks: weeks.means } };
}

const partsOfDay: ReadonlyMap<string, DayPart> = new Map(
  [...dayPartNames].flatMap(([name, part]) => [[name, part] as const, [`${name}s`, part] as const]),
);

/** `thu`, `weekday`, `mon and fri`, `mon-fri` */
function readDayWords(words: SaidWords, at: number): SeriesPartRead | undefined {
  const { texts } = words;
  // `nights of monday and tuesday`
  const of = skip(words, at + 1, "of|on");
  const part = of > at + 1 ? partsOfDay.get(texts[at] ?? "") : undefined;
  const named = part && readDaysSaid(words, skip(words, of, "the"), true);
  if (part && named) return { end: of, parts: { part } };
  if (/^(?:days?|daily|nightly|everyday)$/.test(texts[at] ?? "") || partsOfDay.has(texts[at] ?? ""))
    return daysRead(words, "daily", at, at + 1);
  const work = skip(words, at, "working day|working days|business day|business days|work day|work days");
  if (work > at) return daysRead(words, "weekdays", work, work);
  let end = at;
  while (end < texts.length && isOfDays(singular(texts[end] ?? ""))) end++;
  // What joins the days to something else is no part of them.
  while (end > at && /^(?:-|–|—|to|through|and|&|,)$/.test(texts[end - 1] ?? "")) end--;
  if (end === at) return undefined;
  const said = readDaysSaid(words, at, true);
  const isOnce = said && said.end >= end && !said.isRange && said.days.every(isComingWeekday);
  const coming = isOnce ? datesMeant(said, words.context, true) : undefined;
  return daysRead(words, texts.slice(at, end).map(singular).join(" "), end, end, coming);
}

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
  const { end = 0, ms = 0 } = readMs(words, at) ?? {};
  if (!(days ?? firstDay ?? ends) && !starting.test(words.texts[end] ?? "")) return undefined;
  return ms > 0 && ms % dayMs === 0 ? { end, parts: { forMs: ms } } : undefined;
}

const dayMs = 86_400_000;
const starting = /^(?:from|starting|beginning)$/;
const onwards = "on|onwards|onward";

/** `in december`, `next week`, `from 1.12. to 3.12.`, `26 and 27 nov`; `from 10 dec` alone is the first day. */
function readBounds(words: SaidWords, at: number, { days }: SeriesParts): SeriesPartRead | undefined {
  const lead = skip(words, skip(words, at, "in|during|over|throughout|for"), "the");
  const weekAt = skip(words, lead, "the week of|week of|week beginning|week starting");
  const first = weekAt > lead ? weekAt : skip(words, skip(words, lead, "the week|week"), "from");
  const isFirst = starting.test(words.texts[at - 1] ?? "");
  const span = weekAt > lead ? weekWith(words, first) : periodAt(words, lead);
  if (span && isFirst) return { end: skip(words, span.end, onwards), parts: { firstDay: span.firstDay } };
  if (span) {
    const { end, firstDay, lastDay } = span;
    return { end, parts: { firstDay, lastDay, ...(days ? {} : { days: span.days }) } };
  }
  const said = readDaysSaid(words, first, true);
  if (!said) return undefined;
  const dates = datesMeant(said, words.context);
  if (typeof dates === "string") return { end: said.end, parts: dates };
  const [firstDay = "", ...rest] = dates;
  if (rest.length === 0 && isFirst) return { end: skip(words, said.end, onwards), parts: { firstDay } };
  return { end: said.end, parts: onDates(dates, days) };
}

/** On these days and no others. */
export function onDates(dates: readonly string[], days?: readonly Weekday[]): SeriesParts {
  const [firstDay = "", lastDay = firstDay] = [dates[0], dates.at(-1)];
  const own = daysOfWeek(dates);
  const between = allDays(firstDay, lastDay).filter((day) => own.includes(weekdayOn(day)) && !dates.includes(day));
  return {
    ...{ firstDay, lastDay },
    ...(days ? {} : { days: own, isDated: true }),
    ...(between.length > 0 ? { notOn: between } : {}),
  };
}

interface Bounds {
  readonly end: number;
  readonly firstDay: string;
  readonly lastDay: string;
  readonly days: readonly Weekday[];
}

/** `next week`, `december`, `the weekend`. A week ends on Friday for the team; who names its days may mean the weekend as well. */
function periodAt(words: SaidWords, at: number): Bounds | undefined {
  const period = readMonth(words, at) ?? readDay(words, at);
  const { days, weekday } = period?.parts ?? {};
  const [span, ...more]: readonly DaySpan[] = (weekday ? undefined : days?.spans?.(todayOf(words.context))) ?? [];
  if (!period || !span || more.length > 0) return undefined;
  const [firstDay, last] = [isoDay(span.first), isoDay(span.last)];
  const isWeek = weekdayOn(firstDay) === "monday" && isoDay(addDays(span.first, 4)) === last;
  const lastDay = days?.is === "period" && isWeek ? isoDay(addDays(span.first, 6)) : last;
  return { end: period.end, firstDay, lastDay, days: daysOfWeek(allDays(firstDay, last)) };
}

/** The week of a day: `dec 14` */
function weekWith(words: SaidWords, at: number): Bounds | undefined {
  const said = readDaysSaid(words, at, true);
  const [date]: readonly string[] = said?.days.length === 1 ? [datesMeant(said, words.context)].flat() : [];
  if (!said || date === undefined || !/^\d/.test(date)) return undefined;
  const monday = addDays(calendarDay(date), -((fromSunday.indexOf(weekdayOn(date)) + 6) % 7));
  const [firstDay, lastDay] = [isoDay(monday), isoDay(addDays(monday, 6))];
  return { end: said.end, firstDay, lastDay, days: weekdays.slice(0, 5) };
}

/** The dates that were said, as `YYYY-MM-DD`; or why they are none. `isInOrder`: those of days of the week follow each other. */
function datesMeant(
  { days, isRange }: DaysSaid,
  context: TimeContext,
  isInOrder = isRange,
): readonly string[] | string {
  const dates: string[] = [];
  const today = todayOf(context);
  for (const parts of days) {
    const meant = daysMeant(parts, today);
    if ("problem" in meant) return meant.problem;
    const [only, ...more] = meant;
    const isToday = isInOrder && !isRange && !parts.days && fromSunday[parts.weekday?.index ?? 0] === today.weekday;
    if (!only || more.length > 0 || isToday) return "That does not say which days. Give their dates.";
    const date = isoDay(only.day);
    const isBefore = isInOrder && !parts.days && date < (dates.at(-1) ?? "");
    dates.push(isBefore ? isoDay(addDays(only.day, 7)) : date);
  }
  const [from = "", to = from] = [dates[0], dates.at(-1)];
  return isRange ? allDays(from, to) : [...new Set(dates)].toSorted();
}

const mostDays = 366;

function allDays(first: string, last: string): readonly string[] {
  const days: string[] = [];
  for (let day = first; day <= last && days.length < mostDays; day = isoDay(addDays(calendarDay(day), 1)))
    days.push(day);
  return days;
}

const weekdayOn = (day: string): Weekday => weekdayOf(calendarDay(day));

function daysOfWeek(dates: readonly string[]): readonly Weekday[] {
  const own = new Set(dates.map(weekdayOn));
  return weekdays.filter((day) => own.has(day));
}

function readZoneWords(words: TimeWords, at: number): SeriesPartRead | undefined {
  const { end, zones: [only, ...more] = [] } = readZone(words, at) ?? { end: at };
  return only && more.length === 0 && only.aheadMs === 0 ? { end, parts: { zone: only.zone } } : undefined;
}
