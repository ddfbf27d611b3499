import { wallClockAt } from "../../time/wall-clock.ts";
import { ianaZone } from "../../time/zone.ts";
import { type Run, readRun } from "../read-run.ts";
import type { TimeContext } from "../time-meaning/time-reading.ts";
import type { Clock, Parts } from "../time-words/parts.ts";
import { phrases, skip, type TimeWords } from "../time-words/phrases.ts";
import { readLength } from "../time-words/read-length.ts";
import { readParts } from "../time-words/read-parts.ts";
import type { PeriodReading } from "./resolve-period.ts";

const throughs = phrases("up to and including|through|thru");
const ends = phrases(
  "up to and including|straight through to|straight through until|right through to|right through until|through to|through until|up to|through|thru|until|till|til|to|-|–|—",
);
const ands = phrases("and|to|until|till|-");
const until = { end: 0, use: "until", isFromNow: true, isLoose: false } as const;

/** `from friday evening till monday morning 6`, `between monday 7am and friday 8pm`, `friday 6pm till saturday 2am`: from one moment to another. */
export function readFromTo(
  words: TimeWords,
  context: TimeContext,
): { readonly end: number; readonly reading: PeriodReading } | undefined {
  const isFrom = words.texts[0] === "from";
  const isBetween = words.texts[0] === "between";
  const start = readRun(words, isFrom || isBetween ? 1 : 0, until, context);
  // `thursday evening from half past six to …`
  if (start?.parts && !start.parts.clock && words.texts[start.end] === "from") {
    const without = (all: readonly string[]) => all.filter((_word, at) => at !== start.end);
    const read = readFromTo({ texts: without(words.texts), typed: without(words.typed) }, context);
    return read && read.end > start.end ? { ...read, end: read.end + 1 } : undefined;
  }
  if (!start?.parts || !(isFrom || isLater(start.parts))) return undefined;
  const at = skip(words, start.end, isBetween ? ands : ends);
  if (at === start.end) return undefined;
  const startsAt = momentOf(start, readParts(words, at, true)?.parts.clock, context);
  if (startsAt === undefined) return undefined;
  const isOfToday = /^(?:today|tonight|tomorrow|in)$/.test(words.texts[at] ?? "");
  const use = skip(words, start.end, throughs) > start.end ? "through" : "until";
  const end = readRun(words, at, { ...until, use }, isOfToday ? context : { ...context, now: startsAt });
  const endsAt = end && momentOf(end, start.parts.clock, context);
  if (!end || endsAt === undefined || endsAt <= startsAt) return undefined;
  const isAssumed = [start, end].some(({ reading }) => reading.kind !== "moment" || reading.assumed !== undefined);
  return { end: end.end, reading: { kind: "period", period: { startsAt, endsAt }, isAssumed } };
}

const starts = phrases("starting from|beginning from|starting on|beginning on|starting|beginning|from|as of");
const lengthLeads = phrases("onwards for|onwards|onward|on for|and for|for the next|then for|for|,|and|over");
const inARow = phrases("in a row|straight|on end|long|nonstop|non-stop|without a break");

/** `10 days from monday`, `starting tomorrow 8:00 for two weeks`; `a week from monday` is a moment. */
export function readLengthFromStart(
  words: TimeWords,
  context: TimeContext,
): { readonly end: number; readonly reading: PeriodReading } | undefined {
  const lead = skip(words, 0, starts);
  const isStart = lead > 0;
  const before = isStart ? readRun(words, lead, until, context) : undefined;
  const lengthAt = skip(words, before?.end ?? 0, lengthLeads);
  const isIdiom = !isStart && /^an?$/.test(words.texts[lengthAt] ?? "");
  const length = (isStart && !before) || isIdiom ? undefined : readLength(words, lengthAt);
  if (length?.reading.kind !== "duration" || length.months > 0) return undefined;
  const end = skip(words, length.end, inARow);
  const at = skip(words, end, starts);
  const start = before ?? (at > end ? readRun(words, at, until, context) : undefined);
  if (start?.reading.kind !== "moment") return undefined;
  const { at: startsAt, assumed } = start.reading;
  const period = { startsAt, endsAt: startsAt + length.reading.ms };
  const last = before ? end : start.end;
  // `3 weeks from monday on`
  const isOn = words.texts[last] === "on" && last + 1 === words.texts.length;
  return { end: isOn ? last + 1 : last, reading: { kind: "period", period, isAssumed: assumed !== undefined } };
}

/** In `monday 7:00 to friday 20:00` both are of the 24-hour clock. */
function momentOf({ reading, parts }: Run, other: Clock | undefined, { zone }: TimeContext): number | undefined {
  if (reading.kind === "moment") return reading.at;
  const { clock } = parts ?? {};
  const is24 = clock?.written === "with a colon" && other?.written === "with a colon" && other.hour > 12;
  if (reading.kind !== "choice" || !is24) return undefined;
  const fitting = reading.options.filter((each) => wallClockAt(each.at, ianaZone(zone) ?? "UTC").hour === clock.hour);
  return fitting.length === 1 ? fitting[0]?.at : undefined;
}

/** `tonight till 8` begins now. */
const isLater = ({ days, weekday, clock, dayPart }: Parts): boolean =>
  (weekday !== undefined || (days !== undefined && days.is !== "today")) && (clock ?? dayPart) !== undefined;
