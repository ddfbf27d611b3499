import { formatTime } from "../../time/format-moment.ts";
import { isoDay } from "../../time/recurrence.ts";
import { addDays, type CalendarDay, type DayOfWeek, instantOf, wallClockAt, weekdays } from "../../time/wall-clock.ts";
import { ianaZone } from "../../time/zone.ts";
import { daysMeant } from "../time-meaning/days-meant.ts";
import { minutesOf } from "../time-meaning/team-day.ts";
import type { TimeContext } from "../time-meaning/time-reading.ts";
import type { DaySpan, Parts, SaidZone } from "../time-words/parts.ts";
import type { DayPart } from "../time-words/time-words.ts";
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
  if (!days) return timesNear(said, typed, context);
  const mayBeEnd = said.isOn !== true && context.isKeptOff !== true;
  const all = spansOf(days, { hasTimes: times !== undefined, mayBeEnd }, context);
  const spans = said.except && Array.isArray(all) ? shortened(all, said.except, context) : all;
  if (spans === undefined) return undefined;
  if ("problem" in spans) return invalid(spans.problem);
  if ("apart" in spans && !times)
    return several(
      spans.apart.map((span) => fromNow(context)(untimed(span, days.days.at(-1)?.dayPart, context))),
      context,
    );
  if ("apart" in spans) return invalid(`“${typed}” has times on several days. Ask for each day by itself.`);
  if (times && spans.some(({ first, last }) => isAfter(last, first)))
    return invalid(
      `“${typed}” has times on several days. Ask for each day by itself, or for a series: “${seriesExample}”.`,
    );
  const part = days.days.at(-1)?.dayPart;
  // Where one of two days is meant, each is that day alone.
  const isClash = days.days.some((parts) => "problem" in daysMeant(parts, todayOf(context)));
  const within = isClash ? { ...context, isKeptOff: true } : context;
  const periods = spans.flatMap((span) =>
    times
      ? waysOf(said).flatMap((way) => zonesOf(said, within).map((zone) => timed(span, way, zone, within)))
      : [untimed(span, part, within)],
  );
  const ahead = distinct(periods.filter(({ endsAt }) => endsAt > context.now));
  const [only, ...others] = ahead;
  if (!only) return invalid(`“${typed}” is past. Give a time still to come.`);
  if (others.length > 0)
    return { kind: "choice", reason: whyOpen(days, typed, context), options: ahead.map(fromNow(context)) };
  if (!times && only.startsAt <= context.now) return undefined;
  return { kind: "period", period: fromNow(context)(only), isAssumed: isAssumed(times) };
}

/** “tomorrow, tuesday” does not fit the calendar. */
function whyOpen({ days }: DaysSaid, typed: string, context: TimeContext): string {
  const [meant] = days.map((parts) => daysMeant(parts, todayOf(context)));
  return meant && "problem" in meant ? meant.problem : `“${typed}” can mean more than one time.`;
}

const isAssumed = (times: PeriodSaid["times"]): boolean =>
  times === undefined || !("starts" in times) || times.isAssumed === true;

const seriesExample = "every thu and fri 18:00-22:00 until 2026-12-31";

interface Whole {
  readonly startsAt: number;
  readonly endsAt: number;
}

const fromNow =
  ({ now }: TimeContext) =>
  ({ startsAt, endsAt }: Whole): Period =>
    startsAt <= now ? { endsAt } : { startsAt, endsAt };

/** The days that are meant, each way to read them; undefined for today alone. */
function spansOf(
  { days, isRange }: DaysSaid,
  { hasTimes, mayBeEnd }: { readonly hasTimes: boolean; readonly mayBeEnd: boolean },
  context: TimeContext,
): readonly DaySpan[] | { readonly problem: string } | { readonly apart: readonly DaySpan[] } | undefined {
  const today = todayOf(context);
  const [first, ...others] = days;
  if (!first) return undefined;
  const isToday = first.days?.is === "today";
  // `tomorrow morning` alone is an end, as after `until`; `on monday morning` and `monday morning` are not.
  const isEnd = mayBeEnd && first.dayPart === "morning" && first.weekday === undefined;
  if (!hasTimes && (isToday || isEnd) && others.length === 0) return undefined;
  if (others.length === 0) return spansOfOne(first, hasTimes, context);
  const each = days.map((parts) => spansOfOne(parts, hasTimes, context));
  const spans: DaySpan[] = [];
  for (const found of each) {
    if ("problem" in found) return found;
    const [span, ...more] = found;
    if (!span || more.length > 0) return { problem: "That does not say which days. Give their dates." };
    spans.push(span);
  }
  const [from, to] = [spans[0], spans.at(-1)];
  if (!from || !to) return undefined;
  const isReversed = isAfter(from.first, to.last);
  // "Fri to mon" goes over the weekend.
  if (isReversed && days.some((parts) => parts.weekday === undefined))
    return { problem: "The end is before the start." };
  const last = isReversed ? addDays(to.last, 7) : to.last;
  if (isRange || spans.every((span, index) => index === 0 || isNext(spans[index - 1], span)))
    return [{ first: from.first, last }];
  const inOrder = spans.toSorted((one, other) => dayNumber(one.first) - dayNumber(other.first));
  return days.some(({ weekday }) => weekday && weekdays[weekday.index] === today.weekday)
    ? { problem: "That does not say which days. Give their dates." }
    : { apart: inOrder };
}

/** Several periods, each with words that mean it and nothing else. */
export function several(periods: readonly Period[], { zone, now }: TimeContext): PeriodReading {
  const ahead = periods.filter(({ endsAt }) => endsAt > now);
  const here = ianaZone(zone) ?? "UTC";
  const said = (at: number): readonly string[] => {
    const clock = wallClockAt(at, here);
    return [isoDay(clock), formatTime(clock)];
  };
  return {
    kind: "several",
    periods: ahead.map(({ startsAt, endsAt }) => ({
      ...(startsAt === undefined ? {} : { startsAt }),
      endsAt,
      words: [...(startsAt === undefined ? ["until"] : ["from", ...said(startsAt), "to"]), ...said(endsAt)],
    })),
  };
}

/** The days without those that are left out. */
function shortened(
  spans: readonly DaySpan[],
  except: DaysSaid,
  context: TimeContext,
): readonly DaySpan[] | { readonly problem: string } | { readonly apart: readonly DaySpan[] } {
  const [span, ...others] = spans;
  if (!span || others.length > 0) return { problem: "That does not say which days. Give their dates." };
  const all = Array.from({ length: 31 }, (_each, count) => addDays(span.first, count));
  const kept = all.filter(
    (day) => !isAfter(day, span.last) && !except.days.some((parts) => isThat(day, parts, context)),
  );
  const found: DaySpan[] = [];
  for (const day of kept) {
    const before = found.at(-1);
    const isOn = before !== undefined && dayNumber(addDays(before.last, 1)) === dayNumber(day);
    found.splice(isOn ? -1 : found.length, isOn ? 1 : 0, { first: isOn ? before.first : day, last: day });
  }
  return found.length === 1 ? found : { apart: found };
}

function isThat(day: DayOfWeek, { days, weekday }: Parts, context: TimeContext): boolean {
  if (days) return days.of(todayOf(context)).some((each) => dayNumber(each) === dayNumber(day));
  return weekday !== undefined && weekdays[weekday.index] === day.weekday;
}

export function spansOfOne(
  parts: Parts,
  hasTimes: boolean,
  context: TimeContext,
): readonly DaySpan[] | { readonly problem: string } {
  const today = todayOf(context);
  const { days, weekday } = parts;
  if (days?.spans && !weekday) return days.spans(today);
  const meant = daysMeant(hasTimes ? { ...parts, clock: anyClock } : parts, today);
  if ("problem" in meant) return meant.days?.map((day) => ({ first: day, last: day })) ?? meant;
  const said = meant.map(({ day }) => ({ first: day, last: day }));
  const isAgain = weekday?.which === "coming" && !days && weekdays[weekday.index] === today.weekday;
  return isAgain && !hasTimes ? [{ first: today, last: today }, ...said] : said;
}

const anyClock = { hour: 0, minute: 0, second: 0, isOpen: false, written: "otherwise", isMidnight: false } as const;

/** Without a day: today's, or tomorrow's when it is over. */
function timesNear(said: PeriodSaid, typed: string, context: TimeContext): PeriodReading | undefined {
  const ways = waysOf(said).flatMap((way) => zonesOf(said, context).map((zone) => ({ way, zone })));
  const found = ways.flatMap(({ way, zone }) => {
    const today = todayOf(context, zone.zone);
    const all = [-1, 0, 1].map((count) => {
      const day = addDays(today, count);
      return { ...timed({ first: day, last: day }, way, zone, context), isMoved: count === 1 };
    });
    return (
      all.find(({ startsAt, endsAt }, index) => endsAt > context.now && (index > 0 || startsAt <= context.now)) ?? []
    );
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

const waysOf = (said: PeriodSaid): readonly PeriodSaid[] =>
  said.orTimes ? [said, { ...said, times: said.orTimes }] : [said];

const zonesOf = ({ zones }: PeriodSaid, { zone }: TimeContext): readonly SaidZone[] =>
  zones ?? [{ name: zone, zone, aheadMs: 0 }];

/** Times of day on the person's clock. */
function timed({ first, last }: DaySpan, { times }: PeriodSaid, said: SaidZone, context: TimeContext): Whole {
  const place = { zone: ianaZone(said.zone) ?? "UTC", aheadMs: said.aheadMs };
  const starts = times && "starts" in times ? minutesOf(times.starts) : undefined;
  const ends = minutesOf(times?.ends ?? "00:00");
  const isOvernight = ends <= (starts ?? 0);
  return {
    startsAt: starts === undefined ? startOf(first, context) : instant(first, starts, place),
    endsAt: instant(isOvernight ? addDays(last, 1) : last, ends, place),
  };
}

/** A part of a day, or days from their first hour to their last, where the team is. */
function untimed({ first, last }: DaySpan, part: DayPart | undefined, context: TimeContext): Whole {
  const place = { zone: ianaZone(context.dayZone) ?? "UTC", aheadMs: 0 };
  const [starts, ends] = [minutesOf(context.dayStarts), minutesOf(context.dayEnds)];
  // Days up to a Sunday last until the team is back.
  const isWeekend = !context.isKeptOff && isAfter(last, first) && addDays(last, 0).weekday === "sunday";
  const after = addDays(last, 1);
  switch (part) {
    case "morning":
      // What is off in the morning has not been started before it.
      return {
        startsAt: instant(first, context.isKeptOff ? 0 : starts, place),
        endsAt: instant(last, noon, place),
      };
    case "afternoon":
      return { startsAt: instant(first, noon, place), endsAt: instant(last, ends, place) };
    case "evening":
      return { startsAt: instant(first, ends, place), endsAt: instant(after, 0, place) };
    case "night":
      return { startsAt: instant(first, ends, place), endsAt: instant(after, starts, place) };
    case undefined:
      return { startsAt: startOf(first, context), endsAt: instant(after, isWeekend ? starts : 0, place) };
    default:
      return part satisfies never;
  }
}

const noon = 720;

/**
 * A day begins at midnight. What is kept running on a Saturday must not be stopped on Friday evening, and nothing starts it again before
 * Monday: such a period begins at the end of the team's Friday.
 */
function startOf(day: CalendarDay, { dayZone, dayEnds, isKeptOff }: TimeContext): number {
  const place = { zone: ianaZone(dayZone) ?? "UTC", aheadMs: 0 };
  const isSaturday = !isKeptOff && addDays(day, 0).weekday === "saturday";
  return isSaturday ? instant(addDays(day, -1), minutesOf(dayEnds), place) : instant(day, 0, place);
}

export function instant(
  { year, month, day }: CalendarDay,
  minutes: number,
  { zone, aheadMs }: { readonly zone: string; readonly aheadMs: number },
): number {
  const found = instantOf({ year, month, day, hour: Math.floor(minutes / 60), minute: minutes % 60 }, zone);
  return (found.kind === "instant" ? found.at : found.resumesAt) - aheadMs;
}

const dayNumber = ({ year, month, day }: CalendarDay): number => (year * 100 + month) * 100 + day;
const isAfter = (one: CalendarDay, other: CalendarDay): boolean => dayNumber(one) > dayNumber(other);
const isNext = (one: DaySpan | undefined, other: DaySpan): boolean =>
  one !== undefined && dayNumber(addDays(one.last, 1)) === dayNumber(other.first);

export const todayOf = ({ now, dayZone }: TimeContext, zone = dayZone) => wallClockAt(now, ianaZone(zone) ?? "UTC");
