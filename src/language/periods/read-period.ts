import { inPartOfDay } from "../time-meaning/open-clock.ts";
import { clockText } from "../time-meaning/team-day.ts";
import type { TimeContext } from "../time-meaning/time-reading.ts";
import { phrases, skip, type TimeWords } from "../time-words/phrases.ts";
import { readClock } from "../time-words/read-clock.ts";
import { readParts } from "../time-words/read-parts.ts";
import { readZone } from "../time-words/read-zone.ts";
import { type DayPart, dayPartNames } from "../time-words/time-words.ts";
import { type ClockRangeRead, readClockRange } from "./clock-range.ts";
import { type DaysRead, readDaysSaid } from "./days-said.ts";
import { readFromTo, readLengthFromStart } from "./from-to.ts";
import { type PeriodReading, type PeriodSaid, resolvePeriod } from "./resolve-period.ts";
import { readRunSaid } from "./run-said.ts";

export interface PeriodRun {
  readonly end: number;
  readonly reading: PeriodReading;
}

/*
 * `until friday` names an end, and `on friday`, `this weekend` or `tomorrow 18:00-22:00` a period with its start and its end. What has
 * begun already (`today`, `tonight`, `this week`) is left to read-time.ts, since only its end counts.
 */

/** Reads the period that begins at the first of these words. `isAfterThing`: also one that might be a name, such as `sat`. */
export function readPeriod(words: TimeWords, context: TimeContext, isAfterThing = false): PeriodRun | undefined {
  const counted = readRunSaid(words, context);
  if (counted) return { end: counted.end, reading: { kind: "invalid", reason: ofSchedule, run: counted.run } };
  const lead = skip(words, 0, leads);
  const at = skip(words, lead, wholes);
  const isOn = /^(?:on|during|in)$/.test(words.texts[0] ?? "");
  const isSure = isAfterThing || at > 0;
  // A length follows `for` and `in`, but no times of day.
  const mayBeRange = !/^(?:for|in)$/.test(words.texts[0] ?? "");
  const range = mayBeRange ? rangeThenDays(words, at, isSure) : undefined;
  const days =
    fromDayToDay(words) ??
    range ??
    daysThenTimes(words, at, { isSure, isPartSaid: isOn || context.isKeptOff === true });
  const found = days && withExcept(words, days);
  const moments = range ? undefined : (readFromTo(words, context) ?? readLengthFromStart(words, context));
  if (moments && moments.end > (found?.end ?? 0)) return moments;
  if (!found || goesOn(words, found.end)) return undefined;
  const { end, ...said } = found;
  const reading = resolvePeriod({ ...said, isOn }, words.typed.slice(0, end).join(" "), context);
  return reading && { end, reading };
}

const ofSchedule = "That counts from the schedule, which is not known here. Give a time such as “until 21:00”.";

const leads = phrases("on|over|during|throughout|for|in|at|between");
const wholes = phrases(
  "all day on|all day|the whole of|the whole|whole of|whole|the entire|all of|all through|all|the",
);
const rangeLeads = phrases("from|between");
const dayLeads = phrases("on the|on|,|the");
const untilWords = phrases("until|till|til");
const allDay = phrases("all day long|all day|the whole day|whole day|all through");
const throughout = phrases(
  "all day and night|all day long|all day|the whole day|whole day|all night long|all night|through the night|day and night|all the time",
);
const trailers = phrases("sharp|exactly|o'clock");

interface Found extends PeriodSaid {
  readonly end: number;
}

const exceptWords = phrases("but not on|but not|except on|except for|except|excluding|without|apart from|not on");

/** `next week except friday` */
function withExcept(words: TimeWords, found: Found): Found {
  const at = skip(words, found.end, exceptWords);
  const read = at > found.end && !found.times ? readDaysSaid(words, skip(words, at, dayLeads), true) : undefined;
  return read ? { ...found, except: read.days, end: read.end } : found;
}

/** `from monday to friday` includes the Friday. */
function fromDayToDay(words: TimeWords): Found | undefined {
  const read = words.texts[0] === "from" ? readDaysSaid(words, skip(words, 1, dayLeads), true) : undefined;
  const isWhole = read?.days.isRange && read.days.days.every(({ dayPart }) => dayPart === undefined);
  return read && isWhole && !readClock(words, read.end, false) ? { days: read.days, end: read.end } : undefined;
}

/** `between 18:00 and 22:00 tomorrow`, `18:00-22:00` */
function rangeThenDays(words: TimeWords, start: number, isSure: boolean): Found | undefined {
  const at = skip(words, start, rangeLeads);
  const read = readClockRange(words, at);
  // `7 to 11 december` are days.
  if (!read || (readDaysSaid(words, at, true)?.end ?? 0) > read.end) return undefined;
  const after = withZone(words, read);
  const days = readDaysSaid(words, skip(words, after.end, dayLeads), true);
  const part = days?.days.days[0]?.dayPart;
  const times = part ? { ...after, ...timesIn(words, at, part) } : after;
  if (days) return { ...times, days: days.days, end: days.end };
  // `from 18:00 to 22:00` is a start and an end, as in “from friday to monday”.
  const isFrom = words.texts[start] === "from";
  return isFrom && !isSure ? undefined : times;
}

/** `tomorrow`, `tomorrow 18:00-22:00`, `friday until 22:00` */
function daysThenTimes(
  words: TimeWords,
  at: number,
  { isSure, isPartSaid }: { readonly isSure: boolean; readonly isPartSaid: boolean },
): Found | undefined {
  const read = partThenDay(words, at) ?? readDaysSaid(words, at, isSure, isPartSaid);
  if (!read) return undefined;
  const [first, ...others] = read.days.days;
  const isLong = others.length > 0 || first?.days?.is === "period";
  const whole = skip(words, read.end, isLong ? throughout : allDay);
  const next = skip(words, skip(words, whole, dayLeads), rangeLeads);
  const [day] = read.days.days;
  const within = whole === read.end ? readClockRange(words, next, day?.dayPart) : undefined;
  const asWritten = typeof within?.range === "string" ? readClockRange(words, next) : within;
  const range = typeof asWritten?.range === "string" ? within : asWritten;
  if (range) return { days: read.days, ...withZone(words, range) };
  const until = skip(words, read.end, untilWords);
  const clock = until > read.end ? readTimeOfDay(words, until) : undefined;
  if (!clock?.parts.clock) return isMoment(words, at, whole) ? undefined : { days: read.days, end: whole };
  // `tonight till 8` has begun: only its end counts.
  if (day?.days?.is === "today") return undefined;
  const { hour, minute, isOpen } = clock.parts.clock;
  const part = clock.parts.dayPart ?? day?.dayPart;
  const [meant] = part ? inPartOfDay(clock.parts.clock, part, true) : isOpen ? [] : [hour * 60 + minute];
  const ends = meant === undefined ? "open" : clockText(meant);
  return { days: read.days, end: clock.end, times: { ends } };
}

/** `morning on monday`, behind “in the” */
function partThenDay(words: TimeWords, at: number): DaysRead | undefined {
  const dayPart = words.texts[0] === "in" ? dayPartNames.get(words.texts[at] ?? "") : undefined;
  const day = skip(words, at + 1, ofDay);
  const read = dayPart && day > at + 1 ? readDaysSaid(words, day, true) : undefined;
  const [parts, ...others] = read?.days.days ?? [];
  if (!read || !dayPart || !parts || others.length > 0 || parts.dayPart || !(parts.weekday ?? parts.days))
    return undefined;
  return { end: read.end, days: { days: [{ ...parts, dayPart }], isRange: false } };
}

const ofDay = phrases("on the|on|of the|of");

/** `22:00`, `10 in the evening` */
function readTimeOfDay(words: TimeWords, at: number) {
  const read = readParts(words, at, true);
  const { clock, dayPart, days, weekday, edge, zones } = read?.parts ?? {};
  const isInPart = clock && dayPart && !days && !weekday && !edge && !zones;
  return read && isInPart ? read : readClock(words, at, true);
}

/** `friday noon`, `tomorrow eod`: a day with more behind it. */
function isMoment(words: TimeWords, at: number, end: number): boolean {
  return (readParts(words, at, false)?.end ?? end) > end;
}

/** The same times in the part of the day that is said behind them. */
function timesIn(words: TimeWords, at: number, part: DayPart): Pick<Found, "times" | "orTimes"> {
  const range = readClockRange(words, at, part)?.range;
  return { times: range === undefined || typeof range === "string" ? { ends: "open" } : range, orTimes: undefined };
}

function withZone(words: TimeWords, { end: at, range, either: [one, orTimes] = [] }: ClockRangeRead): Found {
  const end = skip(words, at, trailers);
  const read = readZone(words, end);
  const times = one ?? (typeof range === "string" ? { ends: "open" } : range);
  return { end, times, orTimes, ...(read ? { end: read.end, zones: read.zones } : {}) };
}

/** `18-22 hours` is a length, and a date or a time behind a day makes it a moment. */
function goesOn(words: TimeWords, end: number): boolean {
  const next = words.texts[end] ?? "";
  return /^(?:h|hrs?|hours?|days?|weeks?|min|mins|minutes?|at|@|in)$/.test(next) || /^\d/.test(next);
}
