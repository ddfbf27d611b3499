import type { Interval } from "../../time/intervals.ts";
import { addDays, type CalendarDay, type DayOfWeek, weekdays } from "../../time/wall-clock.ts";
import { ianaZone } from "../../time/zone.ts";
import { resolveParts } from "../time-meaning/resolve-parts.ts";
import type { TimeContext } from "../time-meaning/time-reading.ts";
import type { Clock, DaySpan, Parts } from "../time-words/parts.ts";
import { phraseAt, phrases, phrasesFor, skip, type TimeWords } from "../time-words/phrases.ts";
import { readClock } from "../time-words/read-clock.ts";
import { readLength } from "../time-words/read-length.ts";
import { readParts } from "../time-words/read-parts.ts";
import { type DayPart, timeWords } from "../time-words/time-words.ts";
import { separated } from "./clock-range.ts";
import { type DaysRead, readDaysSaid } from "./days-said.ts";
import { namedDays, pastDays, pastWords } from "./past-days.ts";
import { readPeriod } from "./read-period.ts";
import { instant, spansOfOne, todayOf } from "./resolve-period.ts";

/*
 * What a question asks about: `tonight`, `on monday`, `last night`, `tomorrow at 7`. A day lasts from midnight to midnight, and what has
 * been counts as well. Where the words leave open which day or half of a day is meant, a question is about each.
 */

export interface SpanFound {
  readonly start: number;
  /** The index after its last word. */
  readonly end: number;
  /** In order, without overlaps. */
  readonly spans: readonly Interval[];
}

/** The first of some words that say a time to ask about; undefined if none do. */
export type FindSpan = (words: readonly string[]) => SpanFound | undefined;

const mostWords = 14;
/** A longer line is no question about a time. */
const mostStarts = 40;

export function findSpan(words: readonly string[], context: TimeContext): SpanFound | undefined {
  for (let start = 0; start < Math.min(words.length, mostStarts); start++) {
    const pieces = separated(words.slice(start, start + mostWords));
    const found = readSpan(timeWords(pieces.words), context);
    if (!found) continue;
    const end = start + (pieces.from[found.end] ?? Math.min(words.length - start, mostWords));
    const spans = [...found.spans].sort((one, other) => one.from - other.from);
    return { start, end, spans };
  }
  return undefined;
}

interface Read {
  readonly end: number;
  readonly spans: readonly Interval[];
}

/** The longest reading counts; of equal ones the first. */
function readSpan(words: TimeWords, context: TimeContext): Read | undefined {
  const lead = skip(words, 0, leads);
  const at = skip(words, lead, wholes);
  const found = [
    openEnded(words, context),
    pointAt(words, at, context, lead > 0 && /^(?:at|@|around|about)$/.test(words.texts[0] ?? "")),
    lengthAround(words, skip(words, lead, articles), context),
    timesOfDay(words, context),
    fromTo(words, context),
  ];
  return found.reduce((best, each) => (each && each.end > (best?.end ?? 0) ? each : best), undefined);
}

const leads = phrases("on|over|during|throughout|within|in|for|at|@|around|about");
const articles = phrases("the");
const wholes = phrases("all day on|the whole of|the whole|whole|the entire|all of|all through|all|the");

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

const opens = phrasesFor<"until" | "before" | "after" | "since">([
  ["until|till|til|by|up to|through|thru", "until"],
  ["before", "before"],
  ["after|from|starting|beginning", "after"],
  ["since", "since"],
]);

/** `until friday`, `before 8pm`, `after 18:00`, `since monday` */
function openEnded(words: TimeWords, context: TimeContext): Read | undefined {
  const open = phraseAt(words, 0, opens);
  const point =
    open && pointAt(words, skip(words, skip(words, open.end, leads), articles), context, true, open.means === "since");
  const [first] = point?.spans ?? [];
  if (!open || !point || !first) return undefined;
  const { now } = context;
  const isClock = first.to - first.from <= hourMs;
  switch (open.means) {
    case "until":
      return { end: point.end, spans: ahead(now, isClock ? first.from : first.to) };
    case "before":
      return { end: point.end, spans: ahead(now, first.from) };
    case "since":
      return { end: point.end, spans: ahead(first.from, now) };
    case "after":
      return { end: point.end, spans: ahead(first.from, first.from + (isClock ? dayMs / 2 : 7 * dayMs)) };
    default:
      return open.means satisfies never;
  }
}

const ahead = (from: number, to: number): readonly Interval[] => (to > from ? [{ from, to }] : []);

const coming = phrases("next|coming|following");
const ago = phrases("ago|earlier");

/** `in the next 3 days`, `in 2 hours`, `the last 24 hours`, `2 days ago` */
function lengthAround(words: TimeWords, at: number, { now }: TimeContext): Read | undefined {
  const isPast = skip(words, at, pastWords) > at;
  const length = readLength(words, isPast ? at + 1 : skip(words, at, coming));
  if (!length || length.months > 0 || length.reading.kind !== "duration") return undefined;
  const end = skip(words, length.end, ago);
  const { ms } = length.reading;
  return { end, spans: isPast || end > length.end ? ahead(now - ms, now) : ahead(now, now + ms) };
}

/** Days, parts of days, or times of day, each with the hour behind it. */
function pointAt(
  words: TimeWords,
  at: number,
  context: TimeContext,
  mayBeBare: boolean,
  isPast = false,
): Read | undefined {
  const days = pastDays(words, at, isPast) ?? namedDays(words, at) ?? readDaysSaid(words, at, true);
  const [day] = days?.days.days ?? [];
  const clock = days && readClock(words, skip(words, days.end, clockLeads), true);
  if (days && day && clock?.parts.clock && days.days.days.length === 1)
    return { end: clock.end, spans: clocksOn(day, clock.parts.clock, context) };
  const moment = readParts(words, at, mayBeBare);
  if (moment?.parts.clock && moment.end > (days?.end ?? 0)) {
    const spans = momentsOf(moment.parts, context);
    return spans.length > 0 ? { end: moment.end, spans } : undefined;
  }
  const spans = days ? spansOf(days, context) : [];
  return days && spans.length > 0 ? { end: days.end, spans } : undefined;
}

const clockLeads = phrases("at|@|around|about|,");

function momentsOf(parts: Parts, context: TimeContext): readonly Interval[] {
  const read = resolveParts(parts, "until", "", context);
  const moments = read.kind === "moment" ? [read] : read.kind === "choice" ? read.options : [];
  return moments.map(({ at }) => ({ from: at, to: at + hourMs }));
}

/** An hour that may be before or after noon is both. */
function clocksOn(parts: Parts, { hour, minute, isOpen, written }: Clock, context: TimeContext): readonly Interval[] {
  const minutes = hour * 60 + minute;
  const part = parts.dayPart;
  const mayBeBoth = isOpen && written !== "with a colon";
  const halves = mayBeBoth ? [minutes % noon, (minutes % noon) + noon] : [minutes];
  const said = halves.filter((each) => !mayBeBoth || part === undefined || (part === "morning") === each < noon);
  return daysOf(parts, context).flatMap(({ first }) =>
    said.map((each) => {
      const from = on(first, each, context);
      return { from, to: from + hourMs };
    }),
  );
}

/** Of several days each one, unless they are a range. */
function spansOf({ days: { days, isRange } }: DaysRead, context: TimeContext): readonly Interval[] {
  const each = days.map((parts) => daysOf(parts, context));
  const part = days.at(-1)?.dayPart;
  if (!isRange) return each.flat().flatMap((span) => partsOf(span, part, context));
  const [from, to] = [each[0]?.[0], each.at(-1)?.[0]];
  if (!from || !to) return [];
  const isOverWeekend = dayNumber(to.last) < dayNumber(from.first);
  const last = isOverWeekend ? addDays(to.last, 7) : to.last;
  const [start] = partsOf({ first: from.first, last: from.first }, days[0]?.dayPart, context);
  const end = partsOf({ first: last, last }, part, context).at(-1);
  return start && end ? ahead(start.from, end.to) : [];
}

/** The days that are meant, each way to read them. A week is all of its days. */
function daysOf(parts: Parts, context: TimeContext): readonly DaySpan[] {
  const today = todayOf(context);
  if (parts.weekday?.which === "this" && weekdays[parts.weekday.index] === today.weekday)
    return [{ first: today, last: today }];
  const whole = parts.days?.is === "period" && !parts.weekday ? parts.days.of(today) : [];
  const [first, last] = [whole[0], whole.at(-1)];
  if (first && last && whole.length > 1) return [{ first, last }];
  const spans = spansOfOne(parts, false, context);
  return "problem" in spans ? [] : spans;
}

const noon = 12 * 60;
const evening = 18 * 60;
const nightEnds = 6 * 60;

/** Tonight is what is left of it, in the small hours also of the night that ends. */
function partsOf({ first, last }: DaySpan, part: DayPart | undefined, context: TimeContext): readonly Interval[] {
  const after = addDays(last, 1);
  const from = (day: CalendarDay, minutes: number) => on(day, minutes, context);
  switch (part) {
    case "morning":
      return [{ from: from(first, 5 * 60), to: from(last, noon) }];
    case "afternoon":
      return [{ from: from(first, noon), to: from(last, evening) }];
    case "evening":
      return [{ from: from(first, 17 * 60), to: from(after, 0) }];
    case "night": {
      const today = todayOf(context);
      const isTonight = dayNumber(first) === dayNumber(today);
      const night = { from: from(first, evening), to: from(after, nightEnds) };
      if (!isTonight) return [night];
      const isSmallHours = today.hour * 60 < nightEnds;
      const ending = isSmallHours ? [{ from: context.now, to: from(first, nightEnds) }] : [];
      return [...ending, { from: Math.max(night.from, context.now), to: night.to }];
    }
    case undefined:
      return [{ from: from(first, 0), to: from(after, 0) }];
    default:
      return part satisfies never;
  }
}

/** `friday 18:00 to monday 8:00` */
function fromTo(words: TimeWords, context: TimeContext): Read | undefined {
  const one = pointAt(words, skip(words, 0, fromLeads), context, true);
  const join = one && skip(words, one.end, joins);
  const other = join === undefined || join === one?.end ? undefined : pointAt(words, join, context, true);
  const [first] = one?.spans ?? [];
  const last = other?.spans.find(({ from }) => from > (first?.from ?? 0));
  if (!other || !first || !last) return undefined;
  const isClock = last.to - last.from <= hourMs;
  return { end: other.end, spans: ahead(first.from, isClock ? last.from : last.to) };
}

const fromLeads = phrases("from|between");
const joins = phrases("to|until|till|til|and|through|thru|-|–|—");

/** `tomorrow 18:00-22:00`, `between 18:00 and 22:00` */
function timesOfDay(words: TimeWords, context: TimeContext): Read | undefined {
  const run = readPeriod(words, context, true);
  const isTimed = words.texts.slice(0, run?.end ?? 0).some((text) => /\d/.test(text));
  if (!run || !isTimed || run.reading.kind === "invalid" || run.reading.kind === "series") return undefined;
  const { reading } = run;
  const periods =
    reading.kind === "period" ? [reading.period] : reading.kind === "several" ? reading.periods : reading.options;
  return {
    end: run.end,
    spans: periods.flatMap(({ startsAt, endsAt }) => ahead(startsAt ?? context.now, endsAt)),
  };
}

const on = (day: CalendarDay, minutes: number, { dayZone }: TimeContext): number =>
  instant(day, minutes, { zone: ianaZone(dayZone) ?? "UTC", aheadMs: 0 });

const dayNumber = ({ year, month, day }: CalendarDay | DayOfWeek): number => (year * 100 + month) * 100 + day;
