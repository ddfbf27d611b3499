import type { DurationReading } from "../time/duration.ts";
import { formatMoment } from "../time/format-moment.ts";
import { addDays, instantOf, wallClockAt } from "../time/wall-clock.ts";
import { ianaZone } from "../time/zone.ts";
import type { Keyword } from "./keyword.ts";
import { resolveParts } from "./time-meaning/resolve-parts.ts";
import { invalid, isPast, type TimeContext, type TimeReading } from "./time-meaning/time-reading.ts";
import { fromToday } from "./time-words/days.ts";
import { merged, type Parts } from "./time-words/parts.ts";
import { phrases, skip, type TimeWords } from "./time-words/phrases.ts";
import { readCount } from "./time-words/read-count.ts";
import type { ClockRead } from "./time-words/read-digits.ts";
import { type Length, readLength } from "./time-words/read-length.ts";
import { readParts } from "./time-words/read-parts.ts";

export interface Run {
  readonly end: number;
  readonly reading: TimeReading;
  /** What was said of a moment, when it is one. */
  readonly parts?: Parts;
}

/** Reads the longest time from here on: a length or a moment, whichever explains more words. */
export function readRun(
  words: TimeWords,
  start: number,
  keyword: Keyword | undefined,
  context: TimeContext,
): Run | undefined {
  const isNext = words.texts[start] === "next" && readCount(words, start + 1) !== undefined;
  const at = isNext ? start + 1 : skip(words, start, hedges);
  const use = keyword?.use ?? "bare";
  const length = readLengthFrom(words, at);
  const mayBeBare = use === "until" || use === "through";
  const parts =
    wholeDay(words, at, use) ??
    readParts(words, start, mayBeBare) ??
    (at === start ? undefined : readParts(words, at, mayBeBare));
  const later = length && afterMoment(words, length, context);
  if (later && later.end > (parts?.end ?? 0)) return later;
  if (length && (!parts || length.end > parts.end)) return lengthRun(words, length, keyword, context);
  if (!parts) return undefined;
  if (length?.end === parts.end) return eitherRun(words, { length, parts }, keyword, context);
  if (!isMoment(parts.parts, keyword)) return undefined;
  if (keyword?.use === "for" && parts.parts.clock)
    return { end: parts.end, reading: notALength(words, start, parts.end) };
  const typed = words.typed.slice(0, parts.end).join(" ");
  return { end: parts.end, parts: parts.parts, reading: resolveParts(parts.parts, use, typed, context) };
}

const hedges = phrases(
  "at least|about|around|approximately|roughly|another|the next|up to|a further|an extra|extra|an additional|additional",
);

interface LengthFrom extends Length {
  /** `in 2 hours`, `2 hours from now` */
  readonly isFromNow: boolean;
}

function readLengthFrom(words: TimeWords, start: number): LengthFrom | undefined {
  const isIn = words.texts[start] === "in";
  const at = isIn ? skip(words, start + 1, hedges) : start;
  const length = readLength(words, at);
  if (!length) return undefined;
  const gone = skip(words, length.end, ago);
  if (gone > length.end) return { end: gone, reading: { kind: "invalid", reason: isPast }, months: 0, isFromNow: true };
  const end = skip(words, length.end, isIn ? time : fromNow);
  return { ...length, end: skip(words, end, behind), isFromNow: isIn || end > length.end };
}

const ago = phrases("ago|earlier");
const time = phrases("time|from now");
const fromNow = phrases("from now|hence|later");
const behind = phrases("or so|more|longer|extra|on top|at most|at least|in a row|on end|at a stretch|long");
const after = phrases("after|past|beyond");

/** `for the day` lasts until its end. */
function wholeDay(words: TimeWords, at: number, use: string): ClockRead | undefined {
  const end = use === "for" ? skip(words, at, wholeDays) : at;
  return end === at ? undefined : { end, parts: { edge: "end", isSure: true } };
}

const wholeDays = phrases("the day|the whole day|the working day");

function lengthRun(words: TimeWords, length: LengthFrom, keyword: Keyword | undefined, context: TimeContext): Run {
  const { end, reading, months } = length;
  if (reading.kind === "invalid") return { end, reading };
  const at = afterMonths(months, context) + reading.ms;
  if (at - context.now > longestMs) return { end, reading: tooLong };
  const isFromNow = length.isFromNow || keyword?.isFromNow === true;
  const onDay = length.isFromNow ? timeOnDay(words, length, reading, context) : undefined;
  return onDay ?? { end, reading: isFromNow ? { kind: "moment", at } : { kind: "length", ms: at - context.now } };
}

const longestMs = 366 * 86_400_000;
const tooLong = invalid("That is too long: more than 366 days.");

/** `in 3 days at noon` */
function timeOnDay(
  words: TimeWords,
  { end, months }: Length,
  reading: DurationReading,
  context: TimeContext,
): Run | undefined {
  const days = reading.kind === "duration" ? reading.ms / 86_400_000 : 0;
  const time = Number.isInteger(days) && days > 0 && months === 0 ? readParts(words, end, false) : undefined;
  const parts = time?.parts.clock ? merged(time.parts, { days: fromToday(days), isSure: true }) : undefined;
  if (!time || !parts) return undefined;
  const typed = words.typed.slice(0, time.end).join(" ");
  return { end: time.end, parts, reading: resolveParts(parts, "until", typed, context) };
}

/** `4 more hours after noon tomorrow` */
function afterMoment(words: TimeWords, { end, reading, months }: LengthFrom, context: TimeContext): Run | undefined {
  const at = skip(words, end, after);
  const parts = at > end ? readParts(words, at, true) : undefined;
  if (!parts?.parts.clock || reading.kind !== "duration" || months > 0) return undefined;
  const from = resolveParts(parts.parts, "until", words.typed.slice(at, parts.end).join(" "), context);
  return from.kind === "moment" ? { end: parts.end, reading: { kind: "moment", at: from.at + reading.ms } } : undefined;
}

/** The same time of day some months from now; the last of the month where the day does not exist. */
function afterMonths(months: number, { now, ...context }: TimeContext): number {
  if (months === 0) return now;
  const zone = ianaZone(context.zone) ?? "UTC";
  const today = wallClockAt(now, zone);
  const first = addDays({ ...today, month: today.month + months, day: 1 }, 0);
  const last = addDays({ ...first, month: first.month + 1, day: 0 }, 0);
  const moment = instantOf({ ...today, ...first, day: Math.min(today.day, last.day) }, zone);
  return moment.kind === "skipped" ? moment.resumesAt : moment.at + (now % 1000);
}

/** `18h` is a time after `until` and else a length. A small number may be either. */
function eitherRun(
  words: TimeWords,
  { length, parts }: { length: LengthFrom; parts: ClockRead },
  keyword: Keyword | undefined,
  context: TimeContext,
): Run {
  const asLength = lengthRun(words, length, keyword, context);
  const hour = parts.parts.clock?.hour ?? 0;
  if (length.isFromNow || (!keyword?.isFromNow && keyword?.use !== "through")) return asLength;
  const typed = words.typed.slice(0, parts.end).join(" ");
  const asMoment = resolveParts(parts.parts, keyword.use, typed, context);
  if (!parts.unit || (parts.unit === "h" && (hour > 12 || hour === 0)))
    return { end: parts.end, parts: parts.parts, reading: asMoment };
  return { end: parts.end, reading: eitherReading(asMoment, asLength.reading, typed, context) };
}

function eitherReading(
  moment: TimeReading,
  length: TimeReading,
  typed: string,
  { now, zone }: TimeContext,
): TimeReading {
  const moments =
    moment.kind === "choice" ? moment.options : moment.kind === "moment" ? [labelled(moment.at, zone)] : [];
  const at = length.kind === "moment" ? length.at : length.kind === "length" ? now + length.ms : undefined;
  const lengths = at === undefined ? [] : [labelled(at, zone)];
  const options = [...lengths, ...moments];
  if (options.length < 2) return options.length === 0 || lengths.length > 0 ? length : moment;
  return { kind: "choice", reason: `“${typed}” can be a length of time or a time of day.`, options };
}

const labelled = (at: number, zone: string) => ({ at, label: formatMoment(at, ianaZone(zone) ?? "UTC") });

/** Whether the words in front allow this to be a moment: a name such as May needs more than `for`, and more still alone. */
function isMoment(
  { isSure, days, weekday, clock, dayPart, edge, problem }: Parts,
  keyword: Keyword | undefined,
): boolean {
  // `sat night`, `2 in the morning`, `end of may`
  if (isSure || ((days ?? weekday ?? clock) && (dayPart ?? edge))) return true;
  if (!keyword) return false;
  return !keyword.isLoose || ((days?.is !== "period" || clock !== undefined) && problem === undefined);
}

function notALength(words: TimeWords, start: number, end: number): TimeReading {
  const typed = words.typed.slice(start, end).join(" ");
  return invalid(`“${typed}” is not a length of time. Write “until ${typed}” if that is the end.`);
}
