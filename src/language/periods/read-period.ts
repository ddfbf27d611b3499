import { addDays, clockText, wallClockAt } from "../../time/wall-clock.ts";
import { ianaZone } from "../../time/zone.ts";
import { type Run, readRun, until } from "../read-run.ts";
import { daysMeant, todayOf } from "../time-meaning/days-meant.ts";
import { inPartOfDay, nightEnds } from "../time-meaning/open-clock.ts";
import type { TimeContext } from "../time-meaning/time-reading.ts";
import { readClock } from "../time-words/clocks.ts";
import { readDay } from "../time-words/dates.ts";
import { readMs } from "../time-words/lengths.ts";
import { type Clock, isDay, type Parts } from "../time-words/parts.ts";
import { readClockInPart, readParts } from "../time-words/read-parts.ts";
import { type DayPart, dayPartNames, past, type SaidWords, skip, type TimeWords } from "../time-words/words.ts";
import { readZone } from "../time-words/zones.ts";
import { type ClockRangeRead, readClockRange, readClockRangeIn } from "./clock-range.ts";
import { readDaysSaid } from "./days-said.ts";
import { instant, type PeriodReading, type PeriodSaid, type RunSaid, resolvePeriod } from "./resolve-period.ts";

export interface PeriodRun {
  readonly end: number;
  readonly reading: PeriodReading;
}

/*
 * `until friday` names an end, and `on friday`, `this weekend` or `tomorrow 18:00-22:00` a period with its start and its end. What has
 * begun already (`today`, `tonight`, `this week`) is left to read-time.ts, since only its end counts.
 */

/** Reads the period that begins at the first of these words. `isAfterThing`: also one that might be a name, such as `sat`. */
export function readPeriod(words: SaidWords, isAfterThing = false): PeriodRun | undefined {
  const counted = readRunSaid(words);
  if (counted) return counted;
  const [first = ""] = words.texts;
  const lead = skip(words, 0, "on|over|during|throughout|for|in|at|between");
  const at = skip(words, lead, wholes);
  const isOn = /^(?:on|during|in)$/.test(first);
  const isSure = isAfterThing || at > 0;
  // A length follows `for` and `in`, but no times of day.
  const range = first === "for" || first === "in" ? undefined : rangeThenDays(words, at, isSure);
  const days =
    fromDayToDay(words) ?? range ?? daysThenTimes(words, at, isSure, isOn || words.context.isKeptOff === true);
  const found = days && withExcept(words, days);
  const moments = range ? undefined : (readFromTo(words) ?? readLengthFromStart(words));
  if (moments && moments.end > (found?.end ?? 0)) return moments;
  if (!found || goesOn.test(words.texts[found.end] ?? "")) return undefined;
  const { end, ...said } = found;
  const reading = resolvePeriod({ ...said, isOn }, words.typed.slice(0, end).join(" "), words.context);
  return reading && { end, reading };
}

const wholes = "all day on|all day|the whole of|the whole|whole of|whole|the entire|all of|all through|all|the";
const rangeLeads = "from|between";
const dayLeads = "on the|on|,|the";

/** `18-22 hours` is a length, and a date or a time behind a day makes it a moment. */
const goesOn = /^(?:(?:h|hrs?|hours?|days?|weeks?|min|mins|minutes?|at|@|in)$|\d)/;

interface Found extends PeriodSaid {
  readonly end: number;
}

/** `next week except friday` */
function withExcept(words: TimeWords, found: Found): Found {
  const excepts =
    "but not on|but without|but no|but|but not|except on|except for|except|excluding|without|apart from|not on";
  const at = skip(words, found.end, excepts);
  const read = at > found.end && !found.times ? readDaysSaid(words, skip(words, at, dayLeads), true) : undefined;
  // A part of a day can't be left out.
  return read?.days.every(({ dayPart }) => !dayPart) ? { ...found, except: read, end: read.end } : found;
}

/** `from monday to friday` includes the Friday. */
function fromDayToDay(words: TimeWords): Found | undefined {
  const read = words.texts[0] === "from" ? readDaysSaid(words, skip(words, 1, dayLeads), true) : undefined;
  const isWhole = read?.isRange && read.days.every(({ dayPart }) => dayPart === undefined);
  return read && isWhole && !readClock(words, read.end, false) ? { days: read, end: read.end } : undefined;
}

/** `between 18:00 and 22:00 tomorrow`, `18:00-22:00` */
function rangeThenDays(words: TimeWords, start: number, isSure: boolean): Found | undefined {
  const at = skip(words, start, rangeLeads);
  const read = readClockRange(words, at);
  // `7 to 11 december` are days.
  if (!read || (readDaysSaid(words, at, true)?.end ?? 0) > read.end) return undefined;
  const times = withZone(words, read);
  const days = readDaysSaid(words, skip(words, times.end, dayLeads), true);
  // `from 18:00 to 22:00` is a start and an end, as in “from friday to monday”.
  if (!days) return words.texts[start] === "from" && !isSure ? undefined : times;
  const part = days.days[0]?.dayPart;
  const within = part && readClockRangeIn(part, words, at)?.range;
  const inPart = typeof within === "object" ? within : ({ ends: "open" } as const);
  return { ...times, ...(part ? { times: inPart, orTimes: undefined } : {}), days, end: days.end };
}

function withZone(words: TimeWords, { end: at, range, either: [one, orTimes] = [] }: ClockRangeRead): Found {
  const end = skip(words, at, "sharp|exactly|o'clock");
  const read = readZone(words, end);
  const times = one ?? (typeof range === "string" ? { ends: "open" } : range);
  return { end, times, orTimes, ...(read ? { end: read.end, zones: read.zones } : {}) };
}

/** `tomorrow`, `tomorrow 18:00-22:00`, `friday until 22:00` */
function daysThenTimes(words: TimeWords, at: number, isSure: boolean, isPartSaid: boolean): Found | undefined {
  const read = readDaysSaid(words, at, isSure, isPartSaid);
  if (!read) return undefined;
  const [day, ...others] = read.days;
  const isLong = others.length > 0 || day?.days?.is === "period";
  const whole = skip(words, read.end, isLong ? throughout : allDay);
  const next = skip(words, skip(words, whole, dayLeads), rangeLeads);
  const range = whole === read.end ? timesIn(words, next, day?.dayPart) : undefined;
  if (range) return { days: read, ...withZone(words, range) };
  const until = skip(words, read.end, "until|till|til");
  const said = until > read.end ? (readClockInPart(words, until) ?? readClock(words, until, true)) : undefined;
  const { clock } = said?.parts ?? {};
  if (!said || !clock) {
    // `friday noon`, `tomorrow eod`: a day with more behind it is a moment.
    const isMoment = (readParts(words, at, false)?.end ?? 0) > whole;
    return isMoment ? undefined : { days: read, end: whole };
  }
  // `tonight till 8` has begun: only its end counts.
  if (day?.days?.is === "today") return undefined;
  const part = said.parts.dayPart ?? day?.dayPart;
  const [meant] = part ? inPartOfDay(clock, part, true) : clock.isOpen ? [] : [clock.hour * 60 + clock.minute];
  return { days: read, end: said.end, times: { ends: meant === undefined ? "open" : clockText(meant) } };
}

const allDay = "all day long|all day|the whole day|whole day|all through";
const throughout =
  "all day and night|all day long|all day|the whole day|whole day|all night long|all night|through the night|day and night|all the time";

/** In the part of the day if they fit it, else as they are written. */
function timesIn(words: TimeWords, at: number, part: DayPart | undefined): ClockRangeRead | undefined {
  const written = readClockRange(words, at);
  // `six until ten in the evening`
  const behind = written ? skip(words, written.end, "in the|at") : at;
  const said = written && behind > written.end ? dayPartNames.get(words.texts[behind] ?? "") : undefined;
  const both = said && readClockRangeIn(said, words, at);
  if (both && typeof both.range === "object") return { ...both, end: behind + 1 };
  const within = part && readClockRangeIn(part, words, at);
  if (typeof within?.range === "object") return within;
  return typeof written?.range === "object" ? written : (within ?? written);
}

const ends =
  "up to and including|straight through to|straight through until|right through to|right through until|through to|through until|up to|through|thru|until|till|til|to|-|–|—";

/** `from friday evening till monday morning 6`, `between monday 7am and friday 8pm`, `friday 6pm till saturday 2am`: from one moment to another. */
function readFromTo(words: SaidWords): PeriodRun | undefined {
  const isFrom = words.texts[0] === "from";
  const isBetween = words.texts[0] === "between";
  const start = readRun(words, isFrom || isBetween ? 1 : 0, until);
  // `thursday evening from half past six to …`
  if (start?.parts && !start.parts.clock && words.texts[start.end] === "from") {
    const without = (all: readonly string[]) => all.filter((_word, at) => at !== start.end);
    const read = readFromTo({ ...words, texts: without(words.texts), typed: without(words.typed) });
    return read && read.end > start.end ? { ...read, end: read.end + 1 } : undefined;
  }
  if (!start?.parts || !(isFrom || isLater(start.parts))) return undefined;
  const at = skip(words, start.end, isBetween ? "and|to|until|till|-" : ends);
  if (at === start.end) return undefined;
  const startsAt = momentOf(start, readParts(words, at, true)?.parts.clock, words.context);
  if (startsAt === undefined) return undefined;
  const isOfToday = /^(?:today|tonight|tomorrow|in)$/.test(words.texts[at] ?? "");
  const isIncluded = skip(words, start.end, "up to and including|through|thru") > start.end;
  const keyword = { ...until, use: isIncluded ? "through" : "until" } as const;
  const end = readRun(isOfToday ? words : { ...words, context: { ...words.context, now: startsAt } }, at, keyword);
  const endsAt = end && momentOf(end, start.parts.clock, words.context);
  if (!end || endsAt === undefined || endsAt <= startsAt) return undefined;
  const isAssumed = [start, end].some(({ reading }) => reading.kind !== "moment" || reading.assumed !== undefined);
  return { end: end.end, reading: { kind: "period", period: { startsAt, endsAt }, isAssumed } };
}

/** `tonight till 8` begins now. */
const isLater = ({ days, weekday, clock, dayPart }: Parts): boolean =>
  (weekday !== undefined || (days !== undefined && days.is !== "today")) && (clock ?? dayPart) !== undefined;

/** In `monday 7:00 to friday 20:00` both are of the 24-hour clock. */
function momentOf({ reading, parts }: Run, other: Clock | undefined, { zone }: TimeContext): number | undefined {
  if (reading.kind === "moment") return reading.at;
  const { clock } = parts ?? {};
  const is24 = clock?.written === "with a colon" && other?.written === "with a colon" && other.hour > 12;
  if (reading.kind !== "choice" || !is24) return undefined;
  const fitting = reading.options.filter((each) => wallClockAt(each.at, ianaZone(zone) ?? "UTC").hour === clock.hour);
  return fitting.length === 1 ? fitting[0]?.at : undefined;
}

const startLeads = "starting from|beginning from|starting on|beginning on|starting|beginning|from|as of";
const lengthLeads =
  "onwards for|onwards|onward|and during|during|and lasting|lasting|on for|and for|for the next|then for|for|,|and|over";

/** `10 days from monday`, `starting tomorrow 8:00 for two weeks`; `a week from monday` is a moment. */
function readLengthFromStart(words: SaidWords): PeriodRun | undefined {
  const lead = skip(words, 0, startLeads);
  const isStart = lead > 0;
  const before = isStart ? readRun(words, lead, until) : undefined;
  const lengthAt = skip(words, before?.end ?? 0, lengthLeads);
  const isIdiom = !isStart && /^an?$/.test(words.texts[lengthAt] ?? "");
  const length = (isStart && !before) || isIdiom ? undefined : readMs(words, lengthAt);
  if (!length) return undefined;
  const end = skip(words, length.end, "in a row|straight|on end|long|nonstop|non-stop|without a break");
  const at = skip(words, end, startLeads);
  const start = before ?? (at > end ? readRun(words, at, until) : undefined);
  if (start?.reading.kind !== "moment") return undefined;
  const { at: startsAt, assumed } = start.reading;
  const period = { startsAt, endsAt: startsAt + length.ms };
  const last = before ? end : start.end;
  // `3 weeks from monday on`
  const isOn = words.texts[last] === "on" && last + 1 === words.texts.length;
  return { end: isOn ? last + 1 : last, reading: { kind: "period", period, isAssumed: assumed !== undefined } };
}

/** Reads `today 3h past its stop`, `2 hours longer than usual on friday`, `until it starts again`, with its day before or behind. */
function readRunSaid(words: SaidWords): PeriodRun | undefined {
  const before = dayAt(words, 0);
  const read = lengthAfter(words, before?.end ?? 0) ?? untilStart(words, before?.end ?? 0);
  if (!read) return undefined;
  const behind = before ? undefined : dayAt(words, read.end);
  const day = before ?? behind;
  const run = { ms: read.ms, of: read.of, ...(day ? withinDay(day.parts, words.context) : {}) };
  const reason = "That counts from the schedule, which is not known here. Give a time such as “until 21:00”.";
  return { end: behind?.end ?? read.end, reading: { kind: "invalid", reason, run } };
}

interface FromRun extends Pick<RunSaid, "ms" | "of"> {
  readonly end: number;
}

const its = "its|the|their|his|her|it's|today's|tonight's|tomorrow's";
const usual = "usual|normal|regular|scheduled|planned|daily|nightly|evening|ordinary|standard|default|next|morning|";
const starts = "start time|startup|start-up|start|boot|wake-up";
const stops =
  "stop time|stopping time|shutdown time|switch-off time|stop|shutdown|shut-down|switch-off|closing time|end time|hours|schedule|times|time";
const after = "past|after|beyond|over|longer than|more than|later than|on top of";
const than = "longer than|more than|later than|extra than|past|beyond|longer as|longer then|later then|more then";
const asUsual =
  "it usually does|it normally does|it usually is|they usually do|as usual|usual|usually|normal|normally|always|scheduled|planned|as scheduled|the schedule|its schedule|it should|other days";

/** `3h past its usual stop`, `2 hours longer than usual` */
function lengthAfter(words: TimeWords, at: number): FromRun | undefined {
  const length = readMs(
    words,
    skip(words, at, "until|till|til|for|at least|about|around|up to|another|an extra|extra"),
  );
  if (!length) return undefined;
  const started = past(words, length.end, after, `${its}|`, usual, starts);
  if (started !== undefined) return { end: started, ms: length.ms, of: "start" };
  const end = past(words, length.end, after, `${its}|`, usual, stops) ?? past(words, length.end, than, asUsual);
  return end === undefined ? undefined : { end, ms: length.ms, of: undefined };
}

/** `until its next start`, `until it starts again in the morning` */
function untilStart(words: TimeWords, at: number): FromRun | undefined {
  const until = "until|till|til";
  const verbs = "starts|start|boots|boot|comes up|come up|comes back up|is started|are started";
  const start = past(words, at, until, "it|they", verbs) ?? past(words, at, until, its, usual, starts);
  if (start === undefined) return undefined;
  const again = "again in the morning|next in the morning|in the morning again|again|next|in the morning|by itself";
  return { end: skip(words, start, again), ms: 0, of: "start" };
}

function dayAt(words: TimeWords, start: number): { readonly end: number; readonly parts: Parts } | undefined {
  const read = readDay(words, skip(words, start, "on|this|,"));
  if (!read || !isDay(read.parts) || read.parts.days?.is === "period") return undefined;
  return { ...read, end: skip(words, read.end, "in the morning|in the evening|morning|evening|night") };
}

/** The day from its first moment to the end of its night. */
function withinDay(parts: Parts, context: TimeContext): Pick<RunSaid, "from" | "before"> {
  const meant = daysMeant(parts, todayOf(context));
  const [only, ...others] = "problem" in meant ? [] : meant;
  if (!only || others.length > 0) return { from: 0, before: 0 };
  const zone = ianaZone(context.dayZone) ?? "UTC";
  return { from: instant(only.day, 0, zone), before: instant(addDays(only.day, 1), nightEnds, zone) };
}
