import type { DurationReading } from "../time/duration.ts";
import { formatMoment } from "../time/format-moment.ts";
import { addDays, momentOf, wallClockAt } from "../time/wall-clock.ts";
import { ianaZone } from "../time/zone.ts";
import { resolveParts, type Use } from "./time-meaning/resolve-parts.ts";
import { invalid, isPast, type TimeContext, type TimeReading } from "./time-meaning/time-reading.ts";
import { fromToday } from "./time-words/days.ts";
import { type Length, readCount, readLength } from "./time-words/lengths.ts";
import { merged, type Parts, type PartsRead, sure } from "./time-words/parts.ts";
import { readParts } from "./time-words/read-parts.ts";
import { phrasesFor, type SaidWords, skip, type TimeWords } from "./time-words/words.ts";

export interface Run {
  readonly end: number;
  readonly reading: TimeReading;
  /** What was said of a moment, when it is one. */
  readonly parts?: Parts;
}

/** The word in front of an end: `for`, `until`, `by`. */
export interface Keyword {
  readonly use: Use;
  /** Whether a length after it counts from now, as after `until`. After `by` and `for` it may be added to something. */
  readonly isFromNow: boolean;
  /** Whether names often follow it too: `rename … to may`, `for april`. */
  readonly isLoose: boolean;
}

export const until: Keyword = { use: "until", isFromNow: true, isLoose: false };

export const keywords = phrasesFor<Keyword>([
  ["until|till|til|from now until|from now till|from now to", until],
  ["to", { ...until, isLoose: true }],
  ["make it|make that|by", { ...until, isFromNow: false, isLoose: true }],
  ["through|thru", { use: "through", isFromNow: false, isLoose: false }],
  ["for|during|throughout|over", { use: "for", isFromNow: false, isLoose: true }],
]);

/** Reads the longest time from here on: a length or a moment, whichever explains more words. */
export function readRun(words: SaidWords, start: number, keyword: Keyword | undefined): Run | undefined {
  const isNext = words.texts[start] === "next" && readCount(words, start + 1) !== undefined;
  const at = isNext ? start + 1 : skip(words, start, hedges);
  const use = keyword?.use ?? "bare";
  const length = readLengthFrom(words, at);
  const mayBeBare = use === "until" || use === "through";
  const wholeDay = use === "for" ? skip(words, at, "the day|the whole day|the working day") : at;
  const parts =
    (wholeDay > at ? { end: wholeDay, parts: sure({ edge: "end" }) } : undefined) ??
    readParts(words, start, mayBeBare) ??
    (at === start ? undefined : readParts(words, at, mayBeBare));
  const later = length && afterMoment(words, length);
  if (later && later.end > (parts?.end ?? 0)) return later;
  if (length && (!parts || length.end > parts.end)) return lengthRun(words, length, keyword);
  if (!parts) return undefined;
  if (length?.end === parts.end) return eitherRun(words, length, parts, keyword);
  if (!isMoment(parts.parts, keyword)) return undefined;
  if (keyword?.use === "for" && parts.parts.clock) {
    const typed = words.typed.slice(start, parts.end).join(" ");
    const reason = `“${typed}” is not a length of time. Write “until ${typed}” if that is the end.`;
    return { end: parts.end, reading: invalid(reason) };
  }
  return momentRun(words, parts, use);
}

/** The moment that parts mean, whose words are all that were said up to their end. */
function momentRun(words: SaidWords, { end, parts }: PartsRead, use: Use): Run {
  return { end, parts, reading: resolveParts(parts, use, words.typed.slice(0, end).join(" "), words.context) };
}

const hedges =
  "at least|about|around|approximately|roughly|another|the next|up to|a further|an extra|extra|an additional|additional";

interface LengthFrom extends Length {
  /** `in 2 hours`, `2 hours from now` */
  readonly isFromNow: boolean;
}

function readLengthFrom(words: TimeWords, start: number): LengthFrom | undefined {
  const isIn = words.texts[start] === "in";
  const length = readLength(words, isIn ? skip(words, start + 1, hedges) : start);
  if (!length) return undefined;
  const gone = skip(words, length.end, "ago|earlier");
  if (gone > length.end) return { end: gone, reading: { kind: "invalid", reason: isPast }, months: 0, isFromNow: true };
  const end = skip(words, length.end, isIn ? "time|from now" : "from now|hence|later");
  const behind = "or so|more|longer|extra|on top|at most|at least|in a row|on end|at a stretch|long";
  return { ...length, end: skip(words, end, behind), isFromNow: isIn || end > length.end };
}

function lengthRun(words: SaidWords, length: LengthFrom, keyword: Keyword | undefined): Run {
  const { end, reading, months, isFromNow } = length;
  if (reading.kind === "invalid") return { end, reading };
  const at = afterMonths(months, words.context) + reading.ms;
  if (at - words.context.now > longestMs) return { end, reading: invalid("That is too long: more than 366 days.") };
  const onDay = isFromNow ? timeOnDay(words, length, reading) : undefined;
  if (onDay) return onDay;
  const isMoment = isFromNow || keyword?.isFromNow === true;
  return { end, reading: isMoment ? { kind: "moment", at } : { kind: "length", ms: at - words.context.now } };
}

const longestMs = 366 * 86_400_000;

/** `in 3 days at noon` */
function timeOnDay(words: SaidWords, { end, months }: Length, reading: DurationReading): Run | undefined {
  const days = reading.kind === "duration" ? reading.ms / 86_400_000 : 0;
  const time = Number.isInteger(days) && days > 0 && months === 0 ? readParts(words, end, false) : undefined;
  const parts = time?.parts.clock ? merged(time.parts, sure({ days: fromToday(days) })) : undefined;
  return time && parts && momentRun(words, { end: time.end, parts }, "until");
}

/** `4 more hours after noon tomorrow` */
function afterMoment(words: SaidWords, { end, reading, months }: LengthFrom): Run | undefined {
  const at = skip(words, end, "after|past|beyond");
  const parts = at > end ? readParts(words, at, true) : undefined;
  if (!parts?.parts.clock || reading.kind !== "duration" || months > 0) return undefined;
  const from = resolveParts(parts.parts, "until", "", words.context);
  return from.kind === "moment" ? { end: parts.end, reading: { kind: "moment", at: from.at + reading.ms } } : undefined;
}

/** The same time of day some months from now; the last of the month where the day does not exist. */
function afterMonths(months: number, { now, zone: said }: TimeContext): number {
  if (months === 0) return now;
  const zone = ianaZone(said) ?? "UTC";
  const today = wallClockAt(now, zone);
  const first = addDays({ ...today, month: today.month + months, day: 1 }, 0);
  const last = addDays({ ...first, month: first.month + 1, day: 0 }, 0);
  return momentOf({ ...today, ...first, day: Math.min(today.day, last.day) }, zone) + (now % 1000);
}

/** `18h` is a time after `until` and else a length. A small number may be either. */
function eitherRun(words: SaidWords, length: LengthFrom, parts: PartsRead, keyword: Keyword | undefined): Run {
  const asLength = lengthRun(words, length, keyword);
  const hour = parts.parts.clock?.hour ?? 0;
  if (length.isFromNow || (!keyword?.isFromNow && keyword?.use !== "through")) return asLength;
  const asMoment = momentRun(words, parts, keyword.use);
  if (!parts.unit || (parts.unit === "h" && (hour > 12 || hour === 0))) return asMoment;
  const lengths = optionsOf(asLength.reading, words.context);
  const options = [...lengths, ...optionsOf(asMoment.reading, words.context)];
  const typed = words.typed.slice(0, parts.end).join(" ");
  if (options.length > 1) {
    const reason = `“${typed}” can be a length of time or a time of day.`;
    return { end: parts.end, reading: { kind: "choice", reason, options } };
  }
  const only = options.length === 0 || lengths.length > 0 ? asLength : asMoment;
  return { end: parts.end, reading: only.reading };
}

function optionsOf(reading: TimeReading, { now, zone }: TimeContext) {
  if (reading.kind === "choice") return reading.options;
  if (reading.kind === "invalid") return [];
  const at = reading.kind === "length" ? now + reading.ms : reading.at;
  return [{ at, label: formatMoment(at, ianaZone(zone) ?? "UTC") }];
}

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
