import type { Interval } from "../../time/intervals.ts";
import { addDays, type CalendarDay, dayNumber, weekdays } from "../../time/wall-clock.ts";
import { ianaZone } from "../../time/zone.ts";
import { todayOf } from "../time-meaning/days-meant.ts";
import { dayMinutes, nightEnds, noon } from "../time-meaning/open-clock.ts";
import { resolveParts } from "../time-meaning/resolve-parts.ts";
import type { TimeContext } from "../time-meaning/time-reading.ts";
import { readClock } from "../time-words/clocks.ts";
import { fromToday, week, weekend } from "../time-words/days.ts";
import { readMs } from "../time-words/lengths.ts";
import type { Clock, DaySpan, Days, Parts } from "../time-words/parts.ts";
import { readParts } from "../time-words/read-parts.ts";
import {
  type DayPart,
  dayPartNames,
  phraseAt,
  phrasesFor,
  type SaidWords,
  saidWords,
  skip,
  type TimeWords,
  weekdayNames,
} from "../time-words/words.ts";
import { separated } from "./clock-range.ts";
import { type DaysRead, readDaysSaid } from "./days-said.ts";
import { readPeriod } from "./read-period.ts";
import { instant, spansOfOne } from "./resolve-period.ts";

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
    const found = readSpan(saidWords(pieces.words, context));
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
function readSpan(words: SaidWords): Read | undefined {
  const lead = skip(words, 0, leads);
  const at = skip(words, lead, "all day on|the whole of|the whole|whole|the entire|all of|all through|all|the");
  const found = [
    openEnded(words),
    pointAt(words, at, lead > 0 && /^(?:at|@|around|about)$/.test(words.texts[0] ?? "")),
    lengthAround(words, skip(words, lead, "the")),
    timesOfDay(words),
    fromTo(words),
  ];
  return found.reduce((best, each) => (each && each.end > (best?.end ?? 0) ? each : best), undefined);
}

const leads = "on|over|during|throughout|within|in|for|at|@|around|about";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

const opens = phrasesFor<"until" | "before" | "after" | "since">([
  ["until|till|til|by|up to|through|thru", "until"],
  ["before", "before"],
  ["after|from|starting|beginning", "after"],
  ["since", "since"],
]);

/** `until friday`, `before 8pm`, `after 18:00`, `since monday` */
function openEnded(words: SaidWords): Read | undefined {
  const open = phraseAt(words, 0, opens);
  const at = open && skip(words, skip(words, open.end, leads), "the");
  const point = at === undefined ? undefined : pointAt(words, at, true, open?.means === "since");
  const [first] = point?.spans ?? [];
  if (!open || !point || !first) return undefined;
  const { now } = words.context;
  const isClock = isHour(first);
  const spans = {
    until: ahead(now, isClock ? first.from : first.to),
    before: ahead(now, first.from),
    since: ahead(first.from, now),
    after: ahead(first.from, first.from + (isClock ? dayMs / 2 : 7 * dayMs)),
  };
  return { end: point.end, spans: spans[open.means] };
}

const isHour = ({ from, to }: Interval): boolean => to - from <= hourMs;
const ahead = (from: number, to: number): readonly Interval[] => (to > from ? [{ from, to }] : []);

/** In front of what has been. */
const pastWords = "last|past|previous";

/** `in the next 3 days`, `in 2 hours`, `the last 24 hours`, `2 days ago` */
function lengthAround(words: SaidWords, at: number): Read | undefined {
  const { now } = words.context;
  const isPast = skip(words, at, pastWords) > at;
  const length = readMs(words, isPast ? at + 1 : skip(words, at, "next|coming|following"));
  if (!length) return undefined;
  const end = skip(words, length.end, "ago|earlier");
  const { ms } = length;
  return { end, spans: isPast || end > length.end ? ahead(now - ms, now) : ahead(now, now + ms) };
}

/** Days, parts of days, or times of day, each with the hour behind it. */
function pointAt(words: SaidWords, at: number, mayBeBare: boolean, isPast = false): Read | undefined {
  const read = pastDays(words, at, isPast) ?? readDaysSaid(words, at, true);
  const [day, ...others] = read?.days ?? [];
  const clock = read && readClock(words, skip(words, read.end, "at|@|around|about|,"), true);
  if (day && clock?.parts.clock && others.length === 0)
    return { end: clock.end, spans: clocksOn(day, clock.parts.clock, words.context) };
  const moment = readParts(words, at, mayBeBare);
  const isMoment = moment?.parts.clock && moment.end > (read?.end ?? 0);
  const spans = isMoment ? momentsOf(moment.parts, words.context) : read ? spansOf(read, words.context) : [];
  const end = isMoment ? moment.end : read?.end;
  return end !== undefined && spans.length > 0 ? { end, spans } : undefined;
}

const pastPhrases = phrasesFor<readonly [count: number, part?: DayPart]>([
  ["day before yesterday|the day before yesterday", [-2]],
  ["yesterday night|last night", [-1, "night"]],
  ["yesterday", [-1]],
]);

/**
 * `yesterday evening`, `last night`, `last friday`, `last week`; after `since` a weekday alone is past too. Behind “next”, which names
 * the command, `week` is the next one.
 */
function pastDays(words: TimeWords, at: number, isPast: boolean): DaysRead | undefined {
  const found = phraseAt(words, at, pastPhrases);
  if (found) return withPart(words, found.end, fromToday(found.means[0]), found.means[1]);
  const last = skip(words, at, pastWords);
  const name = words.texts[last] ?? "";
  const index = weekdayNames.get(name);
  if (index !== undefined && (last > at || isPast)) return withPart(words, last + 1, lastWeekday(index));
  if (name === "week") return withPart(words, last + 1, week(last > at ? -1 : 1));
  return last > at && name === "weekend" ? withPart(words, last + 1, weekend([0])) : undefined;
}

function withPart(words: TimeWords, end: number, days: Days, said?: DayPart): DaysRead {
  const part = said ?? dayPartNames.get(words.texts[end] ?? "");
  const parts: Parts = { days, isSure: true, ...(part ? { dayPart: part } : {}) };
  return { end: part && !said ? end + 1 : end, days: [parts], isRange: false };
}

const lastWeekday = (index: number): Days => ({
  is: "day",
  of: (today) => [addDays(today, -((weekdays.indexOf(today.weekday) - index + 7) % 7 || 7))],
});

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
function spansOf({ days, isRange }: DaysRead, context: TimeContext): readonly Interval[] {
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

/** Minutes of the day. */
const hours = {
  morning: [5 * 60, noon],
  afternoon: [noon, 18 * 60],
  evening: [17 * 60, dayMinutes],
  night: [18 * 60, dayMinutes + nightEnds],
  whole: [0, dayMinutes],
} as const;

/** Tonight is what is left of it, in the small hours also of the night that ends. */
function partsOf({ first, last }: DaySpan, part: DayPart | undefined, context: TimeContext): readonly Interval[] {
  const [starts, ends] = hours[part ?? "whole"];
  const [from, to] = [on(first, starts, context), on(last, ends, context)];
  const { now } = context;
  const today = todayOf(context);
  if (part !== "night" || dayNumber(first) !== dayNumber(today)) return [{ from, to }];
  const ending = today.hour * 60 < nightEnds ? [{ from: now, to: on(first, nightEnds, context) }] : [];
  return [...ending, { from: Math.max(from, now), to }];
}

/** `friday 18:00 to monday 8:00` */
function fromTo(words: SaidWords): Read | undefined {
  const one = pointAt(words, skip(words, 0, "from|between"), true);
  const join = one && skip(words, one.end, "to|until|till|til|and|through|thru|-|–|—");
  const other = join === undefined || join === one?.end ? undefined : pointAt(words, join, true);
  const [first] = one?.spans ?? [];
  const last = other?.spans.find(({ from }) => from > (first?.from ?? 0));
  if (!other || !first || !last) return undefined;
  return { end: other.end, spans: ahead(first.from, isHour(last) ? last.from : last.to) };
}

/** `tomorrow 18:00-22:00`, `between 18:00 and 22:00` */
function timesOfDay(words: SaidWords): Read | undefined {
  const { reading, end = 0 } = readPeriod(words, true) ?? {};
  const isTimed = words.texts.slice(0, end).some((text) => /\d/.test(text));
  if (!isTimed || !reading || reading.kind === "invalid" || reading.kind === "series") return undefined;
  const periods =
    reading.kind === "period" ? [reading.period] : reading.kind === "several" ? reading.periods : reading.options;
  return { end, spans: periods.flatMap(({ startsAt, endsAt }) => ahead(startsAt ?? words.context.now, endsAt)) };
}

const on = (day: CalendarDay, minutes: number, { dayZone }: TimeContext): number =>
  instant(day, minutes, ianaZone(dayZone) ?? "UTC");
