import type { TimeContext } from "../time-meaning/time-reading.ts";
import { phrases, skip, type TimeWords } from "../time-words/phrases.ts";
import { readClock } from "../time-words/read-clock.ts";
import { readParts } from "../time-words/read-parts.ts";
import { readZone } from "../time-words/read-zone.ts";
import { type ClockRange, readClockRange } from "./clock-range.ts";
import { readDaysSaid } from "./days-said.ts";
import { type PeriodReading, type PeriodSaid, resolvePeriod } from "./resolve-period.ts";

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
  const lead = skip(words, 0, leads);
  const at = skip(words, lead, wholes);
  const isSure = isAfterThing || at > 0;
  // A length follows `for` and `in`, but no times of day.
  const mayBeRange = !/^(?:for|in)$/.test(words.texts[0] ?? "");
  const range = mayBeRange ? rangeThenDays(words, at, isSure) : undefined;
  const found = fromDayToDay(words) ?? range ?? daysThenTimes(words, at, isSure);
  if (!found || goesOn(words, found.end)) return undefined;
  const { end, ...said } = found;
  const reading = resolvePeriod(said, words.typed.slice(0, end).join(" "), context);
  return reading && { end, reading };
}

const leads = phrases("on|over|during|throughout|for|in|at|between");
const wholes = phrases(
  "all day on|all day|the whole of|the whole|whole of|whole|the entire|all of|all through|all|the",
);
const rangeLeads = phrases("from|between");
const dayLeads = phrases("on the|on|,|the");
const untilWords = phrases("until|till|til");
const allDay = phrases("all day long|all day|the whole day|whole day|all through");
const trailers = phrases("sharp|exactly|o'clock");

interface Found extends PeriodSaid {
  readonly end: number;
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
  if (!read) return undefined;
  const times = withZone(words, read.end, read.range);
  const days = readDaysSaid(words, skip(words, times.end, dayLeads), true);
  if (days) return { ...times, days: days.days, end: days.end };
  // `from 18:00 to 22:00` is a start and an end, as in “from friday to monday”.
  const isFrom = words.texts[start] === "from";
  return isFrom && !isSure ? undefined : times;
}

/** `tomorrow`, `tomorrow 18:00-22:00`, `friday until 22:00` */
function daysThenTimes(words: TimeWords, at: number, isSure: boolean): Found | undefined {
  const read = readDaysSaid(words, at, isSure);
  if (!read) return undefined;
  const whole = skip(words, read.end, allDay);
  const next = skip(words, skip(words, whole, dayLeads), rangeLeads);
  const range = whole === read.end ? readClockRange(words, next) : undefined;
  if (range) return { days: read.days, ...withZone(words, range.end, range.range) };
  const until = skip(words, read.end, untilWords);
  const clock = until > read.end ? readClock(words, until, true) : undefined;
  if (!clock?.parts.clock) return isMoment(words, at, whole) ? undefined : { days: read.days, end: whole };
  const { hour, minute, isOpen } = clock.parts.clock;
  const ends = isOpen ? "open" : `${String(hour % 24).padStart(2, "0")}:${String(minute).padStart(2, "0")}`;
  return { days: read.days, end: clock.end, times: { ends } };
}

/** `friday noon`, `tomorrow eod`: a day with more behind it. */
function isMoment(words: TimeWords, at: number, end: number): boolean {
  return (readParts(words, at, false)?.end ?? end) > end;
}

function withZone(words: TimeWords, at: number, range: ClockRange | string): Found {
  const end = skip(words, at, trailers);
  const read = readZone(words, end);
  const times = typeof range === "string" ? { ends: "open" } : range;
  return read ? { end: read.end, times, zones: read.zones } : { end, times };
}

/** `18-22 hours` is a length, and a date or a time behind a day makes it a moment. */
function goesOn(words: TimeWords, end: number): boolean {
  const next = words.texts[end] ?? "";
  return /^(?:h|hrs?|hours?|days?|weeks?|min|mins|minutes?|at|@|in)$/.test(next) || /^\d/.test(next);
}
