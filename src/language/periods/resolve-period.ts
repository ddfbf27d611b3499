import { formatTime } from "../../time/format-moment.ts";
import { isoDay } from "../../time/recurrence.ts";
import {
  addDays,
  type CalendarDay,
  dayNumber,
  minutesOf,
  momentOf,
  wallClockAt,
  weekdayOf,
  weekdays,
} from "../../time/wall-clock.ts";
import { ianaZone } from "../../time/zone.ts";
import { daysMeant, todayOf } from "../time-meaning/days-meant.ts";
import { dayMinutes, teamDay } from "../time-meaning/open-clock.ts";
import type { TimeContext } from "../time-meaning/time-reading.ts";
import type { DaySpan, Parts, SaidZone } from "../time-words/parts.ts";
import type { DayPart } from "../time-words/words.ts";
import type { ClockRange } from "./clock-range.ts";
import type { DaysSaid } from "./days-said.ts";

/** A period as it was said: days, times of day, or both. */
export interface PeriodSaid {
  readonly days?: DaysSaid;
  /** Days that are left out of them: `next week except friday`. */
  readonly except?: DaysSaid;
  readonly times?: ClockRange | { readonly ends: string };
  /** What the times can be, too. */
  readonly orTimes?: ClockRange | undefined;
  /** Several for an abbreviation that several zones use. */
  readonly zones?: readonly SaidZone[];
  /** “on” stands in front. */
  readonly isOn?: boolean;
}

/** In epoch ms. */
export interface Period {
  /** Undefined for one that has begun. */
  readonly startsAt?: number;
  readonly endsAt: number;
}

/** A period and its words: `from 2026-12-05 09:00 to 2026-12-05 17:00`. */
export interface SaidPeriod extends Period {
  readonly words: readonly string[];
}

/** An end that counts from a run of the schedule, which only the command knows: “2h past its stop”, “until its start”. */
export interface RunSaid {
  /** So long after the run. */
  readonly ms: number;
  /** Undefined for that which ends what is asked for: the stop of what is kept up. */
  readonly of: "stop" | "start" | undefined;
  /** The first run from here on; undefined from now on. */
  readonly from?: number;
  /** It must be before this. */
  readonly before?: number;
}

export type PeriodReading =
  /** `isAssumed`: a day was said, and the times of day follow from it. */
  | { readonly kind: "period"; readonly period: Period; readonly isAssumed: boolean }
  | { readonly kind: "choice"; readonly reason: string; readonly options: readonly Period[] }
  /** The same times on several days. `lead`: what to say in front of its words, behind “every”. */
  | { readonly kind: "series"; readonly lead: readonly string[] }
  /** In their order. */
  | { readonly kind: "several"; readonly periods: readonly SaidPeriod[] }
  /** In whole sentences. `run`: it counts from a run that only the command knows. */
  | { readonly kind: "invalid"; readonly reason: string; readonly run?: RunSaid };

const invalid = (reason: string): PeriodReading => ({ kind: "invalid", reason });

/** The period that is meant now; undefined where only its end counts, since it has begun. */
export function resolvePeriod(said: PeriodSaid, typed: string, context: TimeContext): PeriodReading | undefined {
  const { days, times } = said;
  if (times?.ends === "open")
    return invalid(`“${typed}” can be before or after noon. Write the times like 18:00-22:00.`);
  if (isReversed(times)) return invalid("The end is before the start.");
  if (!days) return timesNear(said, typed, context);
  const all = isOnlyEnd(days.days, said, context) ? undefined : spansOf(days, times !== undefined, context);
  const spans = said.except && Array.isArray(all) ? shortened(all, said.except, context) : all;
  if (spans === undefined) return undefined;
  if ("problem" in spans) return invalid(spans.problem);
  const part = days.days.at(-1)?.dayPart;
  if ("apart" in spans && !times)
    return several(
      spans.apart.map((span) => untimed(span, part, context)),
      context,
    );
  const each = `“${typed}” has times on several days. Ask for each day by itself`;
  if ("apart" in spans) return invalid(`${each}.`);
  if (times && spans.some(({ first, last }) => dayNumber(last) > dayNumber(first)))
    return invalid(`${each}, or for a series: “${seriesExample}”.`);
  const meant = days.days.map((parts) => daysMeant(parts, todayOf(context)));
  // “tomorrow, tuesday” does not fit the calendar: where one of two days is meant, each is that day alone.
  const clash = meant.find((found) => "problem" in found);
  const within = clash ? { ...context, isKeptOff: true } : context;
  const periods = spans.flatMap((span) => (times ? timedWays(said, span, within) : untimed(span, part, within)));
  const ahead = distinct(periods.filter(({ endsAt }) => endsAt > context.now));
  const [only, ...others] = ahead;
  if (!only) return invalid(`“${typed}” is past. Give a time still to come.`);
  if (others.length > 0) {
    const [first] = meant;
    const reason = first && "problem" in first ? first.problem : `“${typed}” can mean more than one time.`;
    return { kind: "choice", reason, options: ahead.map(fromNow(context)) };
  }
  if (!times && only.startsAt <= context.now) return undefined;
  const isAssumed = times === undefined || !("starts" in times) || "isAssumed" in times;
  return { kind: "period", period: fromNow(context)(only), isAssumed };
}

/** "from 18h to 17h" is hardly meant to last 23 hours. */
function isReversed(times: PeriodSaid["times"]): boolean {
  const early = times && "starts" in times ? minutesOf(times.starts) - minutesOf(times.ends) : 0;
  return early > 0 && early <= 180;
}

const seriesExample = "every thu and fri 18:00-22:00 until 2026-12-31";

interface Whole {
  readonly startsAt: number;
  readonly endsAt: number;
}

const fromNow =
  ({ now }: TimeContext) =>
  ({ startsAt, endsAt }: Whole): Period =>
    startsAt <= now ? { endsAt } : { startsAt, endsAt };

/** Whether one day by itself is an end, as after `until`: `today`, `tomorrow morning`; `on monday morning` and `monday morning` are not. */
function isOnlyEnd(
  [day, ...others]: readonly Parts[],
  { times, isOn }: PeriodSaid,
  { isKeptOff }: TimeContext,
): boolean {
  if (!day || times || others.length > 0) return !day;
  const isMorning = !isOn && !isKeptOff && day.dayPart === "morning" && day.weekday === undefined;
  return day.days?.is === "today" || isMorning;
}

type Spans = readonly DaySpan[] | { readonly problem: string } | { readonly apart: readonly DaySpan[] };
const noDates = { problem: "That does not say which days. Give their dates." };

/** The days that are meant: several spans where one of them is, and those apart that all are. */
function spansOf({ days, isRange }: DaysSaid, hasTimes: boolean, context: TimeContext): Spans {
  const [first, ...others] = days;
  if (first && others.length === 0) return spansOfOne(first, hasTimes, context);
  const spans: DaySpan[] = [];
  for (const parts of days) {
    const found = spansOfOne(parts, hasTimes, context);
    if ("problem" in found) return found;
    const [span, ...more] = found;
    if (!span || more.length > 0) return noDates;
    spans.push(span);
  }
  const [from, to] = [spans[0], spans.at(-1)];
  if (!from || !to) return noDates;
  const isReversed = dayNumber(from.first) > dayNumber(to.last);
  // "Fri to mon" goes over the weekend.
  if (isReversed && days.some((parts) => parts.weekday === undefined))
    return { problem: "The end is before the start." };
  const isNext = (span: DaySpan, at: number) => at === 0 || isDayAfter(spans[at - 1]?.last, span.first);
  if (isRange || spans.every(isNext)) return [{ first: from.first, last: isReversed ? addDays(to.last, 7) : to.last }];
  const { weekday: today } = todayOf(context);
  return days.some(({ weekday }) => weekday && weekdays[weekday.index] === today)
    ? noDates
    : { apart: spans.toSorted((one, other) => dayNumber(one.first) - dayNumber(other.first)) };
}

const isDayAfter = (one: CalendarDay | undefined, other: CalendarDay): boolean =>
  one !== undefined && dayNumber(addDays(one, 1)) === dayNumber(other);

/** Several periods, each with words that mean it and nothing else. */
export function several(periods: readonly Period[], context: TimeContext): PeriodReading {
  const here = ianaZone(context.zone) ?? "UTC";
  const said = (at: number): readonly string[] => {
    const clock = wallClockAt(at, here);
    return [isoDay(clock), formatTime(clock)];
  };
  const ahead = periods.filter(({ endsAt }) => endsAt > context.now);
  return {
    kind: "several",
    periods: ahead.map(({ startsAt = context.now, endsAt }) =>
      startsAt <= context.now
        ? { endsAt, words: ["until", ...said(endsAt)] }
        : { startsAt, endsAt, words: ["from", ...said(startsAt), "to", ...said(endsAt)] },
    ),
  };
}

/** The days without those that are left out. */
function shortened([span, ...others]: readonly DaySpan[], except: DaysSaid, context: TimeContext): Spans {
  if (!span || others.length > 0) return noDates;
  const today = todayOf(context);
  const kept = Array.from({ length: 31 }, (_each, count) => addDays(span.first, count)).filter(
    (day) =>
      dayNumber(day) <= dayNumber(span.last) &&
      !except.days.some(({ days, weekday }) =>
        days
          ? days.of(today).some((each) => dayNumber(each) === dayNumber(day))
          : weekday !== undefined && weekdays[weekday.index] === day.weekday,
      ),
  );
  const found: DaySpan[] = [];
  for (const day of kept) {
    const before = found.at(-1);
    if (before && isDayAfter(before.last, day)) found[found.length - 1] = { first: before.first, last: day };
    else found.push({ first: day, last: day });
  }
  return found.length === 1 ? found : { apart: found };
}

export function spansOfOne(
  parts: Parts,
  hasTimes: boolean,
  context: TimeContext,
): readonly DaySpan[] | { readonly problem: string } {
  const today = todayOf(context);
  const { days, weekday } = parts;
  if (days?.spans && !weekday) return days.spans(today);
  const meant = daysMeant(parts, today, hasTimes);
  if ("problem" in meant) return meant.days?.map((day) => ({ first: day, last: day })) ?? meant;
  const said = meant.map(({ day }) => ({ first: day, last: day }));
  const isAgain = weekday?.which === "coming" && !days && weekdays[weekday.index] === today.weekday;
  return isAgain && !hasTimes ? [{ first: today, last: today }, ...said] : said;
}

/** Without a day: today's, or tomorrow's when it is over. */
function timesNear(said: PeriodSaid, typed: string, context: TimeContext): PeriodReading | undefined {
  const found = waysOf(said, context).flatMap(({ times, zone }) => {
    const all = [-1, 0, 1].map((count) => {
      const day = addDays(todayOf(context, zone.zone), count);
      return { ...timed({ first: day, last: day }, times, zone, context), isMoved: count === 1 };
    });
    const isMeant = ({ startsAt, endsAt }: Whole, at: number) =>
      endsAt > context.now && (at > 0 || startsAt <= context.now);
    return all.find(isMeant) ?? [];
  });
  const [only, ...others] = distinct(found);
  if (!only) return undefined;
  if (others.length === 0)
    return { kind: "period", period: fromNow(context)(only), isAssumed: found[0]?.isMoved === true };
  const reason = said.orTimes ? `“${typed}” can mean more than one time.` : "Those times can be of several zones.";
  const options = [only, ...others].sort((one, other) => one.startsAt - other.startsAt);
  return { kind: "choice", reason, options: options.map(fromNow(context)) };
}

const distinct = (periods: readonly Whole[]): readonly Whole[] => [
  ...new Map(periods.map((each) => [`${each.startsAt} ${each.endsAt}`, each])).values(),
];

/** The times that may be meant, in each zone that may be. */
const waysOf = ({ times, orTimes, zones }: PeriodSaid, { zone }: TimeContext) =>
  (orTimes ? [times, orTimes] : [times]).flatMap((each) =>
    (zones ?? [{ name: zone, zone, aheadMs: 0 }]).map((said) => ({ times: each, zone: said })),
  );

const timedWays = (said: PeriodSaid, span: DaySpan, context: TimeContext): readonly Whole[] =>
  waysOf(said, context).map(({ times, zone }) => timed(span, times, zone, context));

/** Times of day on the person's clock. */
function timed({ first, last }: DaySpan, times: PeriodSaid["times"], said: SaidZone, context: TimeContext): Whole {
  const zone = ianaZone(said.zone) ?? "UTC";
  const starts = times && "starts" in times ? minutesOf(times.starts) : undefined;
  const ends = minutesOf(times?.ends ?? "00:00");
  const isOvernight = ends <= (starts ?? 0);
  return {
    startsAt: starts === undefined ? startOf(first, context) : instant(first, starts, zone) - said.aheadMs,
    endsAt: instant(isOvernight ? addDays(last, 1) : last, ends, zone) - said.aheadMs,
  };
}

/** A part of a day, or days from their first hour to their last, where the team is. */
function untimed({ first, last }: DaySpan, part: DayPart | undefined, context: TimeContext): Whole {
  const zone = ianaZone(context.dayZone) ?? "UTC";
  const { starts, parts } = teamDay(context);
  if (part !== undefined) {
    const [from, to] = parts[part];
    // What is off in the morning has not been started before it.
    const isWhole = part === "morning" && context.isKeptOff;
    return { startsAt: instant(first, isWhole ? 0 : from.minutes, zone), endsAt: instant(last, to.minutes, zone) };
  }
  // Days up to a Sunday last until the team is back.
  const isLong = !context.isKeptOff && dayNumber(last) > dayNumber(first);
  const isWeekend = isLong && weekdayOf(last) === "sunday";
  return {
    startsAt: startOf(first, context),
    endsAt: instant(last, dayMinutes + (isWeekend ? starts.minutes : 0), zone),
  };
}

/**
 * A day begins at midnight. What is kept running on a Saturday must not be stopped on Friday evening, and nothing starts it again before
 * Monday: such a period begins at the end of the team's Friday.
 */
function startOf(day: CalendarDay, { dayZone, dayEnds, isKeptOff }: TimeContext): number {
  const isSaturday = !isKeptOff && weekdayOf(day) === "saturday";
  const [from, minutes] = isSaturday ? [addDays(day, -1), minutesOf(dayEnds)] : [day, 0];
  return instant(from, minutes, ianaZone(dayZone) ?? "UTC");
}

/** Minutes beyond a day are on the next one. */
export function instant(said: CalendarDay, minutes: number, zone: string): number {
  const { year, month, day } = addDays(said, Math.floor(minutes / dayMinutes));
  return momentOf({ year, month, day, hour: Math.floor((minutes % dayMinutes) / 60), minute: minutes % 60 }, zone);
}
