import { formatDay, formatMoment, formatTime } from "../../time/format-moment.ts";
import {
  addDays,
  type CalendarDay,
  clockText,
  type DayOfWeek,
  dayNumber,
  instantOf,
  type WallClock,
  wallClockAt,
  weekdays,
} from "../../time/wall-clock.ts";
import { ianaZone, nearestZone, offsetAt } from "../../time/zone.ts";
import type { Clock, Parts, SaidZone } from "../time-words/parts.ts";
import { type DayMeant, daysMeant } from "./days-meant.ts";
import { dayMinutes, minutesMeant, nightEnds, noon, type TimeOfDay, teamDay } from "./open-clock.ts";
import { invalid, type TimeContext, type TimeOption, type TimeReading } from "./time-reading.ts";

/** How the keyword in front uses a time: `until` means when it begins, `for` that it is included. */
export type Use = "until" | "for" | "through" | "bare";

/** The moment that the parts mean now, or the moments to choose from. Each way to read them is followed to its moment. */
export function resolveParts(parts: Parts, use: Use, typed: string, context: TimeContext): TimeReading {
  if (parts.problem !== undefined) return invalid(parts.problem);
  const clash = clashIn(parts, use, typed, context);
  if (clash) return clash;
  const outcomes: Outcome[] = [];
  for (const said of parts.zones ?? [ownZone(parts, context)]) {
    const zone = ianaZone(said.zone);
    if (zone === undefined) return invalid(unknownZone(said.name));
    const here = { ...said, zone };
    const today = wallClockAt(context.now + here.aheadMs, zone);
    const ways = parts.clock ? timedWays(parts, parts.clock, today, context) : untimedWays(parts, use, today, context);
    if ("problem" in ways) return invalid(ways.problem);
    outcomes.push(...ways.map((way) => followWay(way, here, context.now)));
  }
  return chooseMoment(outcomes, typed, context.zone);
}

/** “tomorrow, tuesday” on a Wednesday: a question about both days. */
function clashIn(parts: Parts, use: Use, typed: string, context: TimeContext): TimeReading | undefined {
  if (!parts.days || !parts.weekday) return undefined;
  const zone = ianaZone(ownZone(parts, context).zone) ?? "UTC";
  const meant = daysMeant(parts, wallClockAt(context.now, zone));
  if (!("problem" in meant) || !meant.days) return undefined;
  const { weekday: _weekday, ...rest } = parts;
  const options = meant.days.flatMap((day): readonly TimeOption[] => {
    const read = resolveParts({ ...rest, days: { is: "day", of: () => [day] } }, use, typed, context);
    if (read.kind !== "moment") return read.kind === "choice" ? read.options : [];
    return [{ label: formatMoment(read.at, ianaZone(context.zone) ?? zone), at: read.at }];
  });
  return options.length > 1 ? { kind: "choice", reason: meant.problem, options } : invalid(meant.problem);
}

export function unknownZone(name: string): string {
  const nearest = nearestZone(name);
  const advice =
    nearest === undefined ? "Use a name such as Europe/Berlin, America/New_York or UTC." : `Did you mean ${nearest}?`;
  return `I do not know the time zone "${name}". ${advice}`;
}

/** A time is on the requester's clock, the team's day is where the team is. */
function ownZone({ clock }: Parts, { zone, dayZone }: TimeContext): SaidZone {
  const own = clock ? zone : dayZone;
  return { name: own, zone: own, aheadMs: 0 };
}

/** One way to read a time. */
interface Way {
  /** The first of these that is ahead is meant. */
  readonly clocks: readonly WallClock[];
  /** Whether the time of day was said. One that was only assumed is moved out of a skipped hour. */
  readonly isTyped: boolean;
  /** It is less likely than the others. */
  readonly isInstead?: boolean;
  /** `isMoved`: the first of the clocks has passed. */
  readonly assumed: (isMoved: boolean) => string | undefined;
}

type Today = DayOfWeek & Required<WallClock>;
type Ways = readonly Way[] | { readonly problem: string };

/** A way for each day and each half of the day that may be meant. */
function timedWays(parts: Parts, clock: Clock, today: Today, context: TimeContext): Ways {
  const days = daysMeant(parts, today);
  if ("problem" in days) return days;
  const { hour, minute } = clock;
  const said = hour * 100 + minute;
  // `2027` after `until` may be the year.
  if (clock.written === "without a mark" && said >= today.year && said <= today.year + 3)
    return { problem: `That can be a year or a time. Write ${hour}:${minute} for the time, or a date.` };
  const hasDay = (parts.days ?? parts.weekday) !== undefined;
  const { minutes: times, instead } = minutesMeant(clock, parts, today.hour * 60 + today.minute, context);
  if (times.length === 0) return { problem: `${clockText(hour * 60 + minute)} is not in the ${parts.dayPart}.` };
  return days.flatMap(({ day, again }) =>
    [...times, ...(instead === undefined ? [] : [instead])].map((minutes) => ({
      isInstead: minutes === instead,
      clocks: [0, ...(again ? [again] : [])].map((count) => onClock(addDays(day, count), minutes, clock.second)),
      isTyped: true,
      assumed: (isMoved: boolean) => {
        if (isMoved && (hasDay || minutes >= nightEnds))
          return `${hasDay ? "next week" : "tomorrow"}, since ${clockText(minutes)} has passed today`;
        const written = clock.isHalf && instead !== undefined ? instead : hour * 60 + minute;
        const isOther = clock.isHalf || (clock.isOpen && parts.dayPart === undefined && minutes !== written);
        return isOther ? `${clockText(minutes)} rather than ${clockText(written)}` : undefined;
      },
    })),
  );
}

/** A way for each time of the team's day that may be meant. */
function untimedWays(said: Parts, use: Use, today: Today, context: TimeContext): Ways {
  const ways: Way[] = [];
  for (const parts of withEdges(said, use, today)) {
    const days = daysMeant(parts, today);
    if ("problem" in days) return days;
    ways.push(...days.flatMap((day) => waysOfTeamDay(parts, day, use, today, context)));
  }
  return ways;
}

/** Of a week or month the end is meant when it has begun or is included. Alone, either end can be. */
function withEdges(parts: Parts, use: Use, today: DayOfWeek): readonly Parts[] {
  const { days, weekday, edge } = parts;
  if (days?.is !== "period" || weekday || edge !== undefined) return [parts];
  const [first] = days.of(today);
  const hasBegun = first !== undefined && dayNumber(first) <= dayNumber(today);
  const starts: Parts = { ...parts, edge: "start" };
  const ends: Parts = { ...parts, edge: "end" };
  if (hasBegun || use === "through") return [ends];
  return use === "until" ? [starts] : [starts, ends];
}

function waysOfTeamDay(
  parts: Parts,
  { day, again }: DayMeant,
  use: Use,
  today: Today,
  context: TimeContext,
): readonly Way[] {
  const { days, weekday, dayPart } = parts;
  const isToday = dayNumber(day) === dayNumber(today);
  const isInAWeek = weekday?.which === "coming" && !days && today.weekday === weekdays[weekday.index];
  return timesOfTeamDay(parts, use, isToday, today, context).map(({ minutes, orMinutes, assumed }) => {
    const inZone = context.dayZone === context.zone ? "" : ` in ${context.dayZone}, ${clockText(minutes)} there`;
    const after = days?.assumed === undefined ? "" : ` ${days.assumed}`;
    const isDaily = again === 1 && (use === "until" || dayPart) && orMinutes === undefined;
    return {
      clocks: [
        onClock(day, minutes),
        ...(orMinutes === undefined ? [] : [onClock(day, orMinutes)]),
        ...(isDaily ? [onClock(addDays(day, 1), minutes)] : []),
      ],
      isTyped: false,
      assumed: (isMoved) =>
        isMoved && orMinutes !== undefined
          ? `midnight in ${context.dayZone}, since ${clockText(minutes)} has passed`
          : `${isInAWeek ? "next week, " : ""}${assumed}${after}${inZone}`,
    };
  });
}

/**
 * The times of day that are meant where none was said. Several when that is open. Today's end is midnight when the team's day is over.
 * `from tonight` and `until tonight` are its start; `tonight` lasts to its end.
 */
function timesOfTeamDay(
  { days, weekday, shift, dayPart, edge }: Parts,
  use: Use,
  isToday: boolean,
  today: Today,
  context: TimeContext,
): readonly TimeOfDay[] {
  const { starts, ends, parts } = teamDay(context);
  const orMidnight = (time: TimeOfDay) => (isToday && time === ends ? { ...time, orMinutes: dayMinutes } : time);
  const saysToday = days === undefined ? weekday === undefined : days.is === "today" && shift === undefined;
  if (dayPart !== undefined) {
    const [from, to] = parts[dayPart];
    if (use === "until" && dayPart === "afternoon") return [from, { ...from, minutes: noon + 180 }];
    if (use === "until" || (use === "bare" && dayPart === "morning" && !saysToday)) return [orMidnight(from)];
    // In the small hours it may be the night that is ending.
    const isEnding = dayPart === "night" && isToday && today.hour * 60 < nightEnds;
    return [...(isEnding ? [starts] : []), orMidnight(to)];
  }
  const after = { minutes: dayMinutes, assumed: "the end of that day" };
  // The last run may come after the team's day.
  if (days !== undefined && saysToday && edge === undefined && use === "bare") return [orMidnight(ends), after];
  if (edge === "end" || (saysToday && edge === undefined)) return [orMidnight(ends)];
  if (use === "until" || edge === "start" || days?.assumed !== undefined) return [starts];
  return use === "through" ? [orMidnight(ends)] : [starts, after];
}

/** Minutes beyond a day are on the next one. */
function onClock(day: CalendarDay, minutes: number, second = 0): WallClock {
  const { year, month, day: date } = addDays(day, Math.floor(minutes / dayMinutes));
  return { year, month, day: date, hour: Math.floor((minutes % dayMinutes) / 60), minute: minutes % 60, second };
}

/** Where a way leads: to moments ahead, two in a repeated hour, or to none. */
type Outcome =
  | { readonly ats: readonly number[]; readonly zone: SaidZone; readonly assumed?: string; readonly isInstead: boolean }
  | { readonly reason: string; readonly isSkipped: boolean };

function followWay({ clocks, isTyped, isInstead = false, assumed }: Way, zone: SaidZone, now: number): Outcome {
  let latest = now;
  for (const [index, clock] of clocks.entries()) {
    const found = instantOf(clock, zone.zone);
    if (found.kind === "skipped" && isTyped && found.resumesAt > now)
      return { reason: skipped(clock, found.resumesAt, zone.zone), isSkipped: true };
    latest = found.kind === "skipped" ? found.resumesAt : found.at - zone.aheadMs;
    const again = found.kind === "instant" && isTyped && found.again ? [found.again - zone.aheadMs] : [];
    const ats = [latest, ...again].filter((at) => at > now);
    const said = assumed(index > 0);
    if (ats.length > 0) return { ats, zone, isInstead, ...(said === undefined ? {} : { assumed: said }) };
  }
  return { reason: `${shownAt(latest, zone)} is in the past.`, isSkipped: false };
}

/** The one moment that is ahead, or the several as a choice. A zone that is not the person's is named. */
function chooseMoment(outcomes: readonly Outcome[], typed: string, ownZone: string): TimeReading {
  const all = outcomes.flatMap((outcome) => ("ats" in outcome ? [outcome] : []));
  const ahead = all.filter(({ isInstead }) => !isInstead);
  const isOwnZone = ahead.every(({ zone, ats }) => zone.name === ownZone && ats.length === 1);
  // Of equal ones the first counts.
  const options = new Map(ahead.toReversed().flatMap((each) => each.ats.map((at) => [at, { ...each, at }] as const)));
  const [only, ...others] = [...options.values()].sort((one, other) => one.at - other.at);
  if (!only) {
    const none = outcomes.flatMap((outcome) => ("reason" in outcome ? [outcome] : []));
    const why = none.find(({ isSkipped }) => isSkipped) ?? none.at(-1);
    return invalid(why?.reason ?? "There is no such moment.");
  }
  if (others.length > 0) {
    const label = (at: number, zone: SaidZone) => (isOwnZone ? dayAndTime(at, zone) : shownAt(at, zone));
    const labelled = [only, ...others].map(({ at, zone }) => ({ at, label: label(at, zone) }));
    return { kind: "choice", reason: `“${typed}” can mean more than one time.`, options: labelled };
  }
  const { at, assumed } = only;
  const instead = all.find((each) => each.isInstead && each.ats[0] !== at)?.ats[0];
  return {
    ...{ kind: "moment", at },
    ...(assumed === undefined ? {} : { assumed }),
    ...(instead === undefined ? {} : { instead }),
  };
}

function shownAt(at: number, said: SaidZone): string {
  return said.aheadMs === 0 ? formatMoment(at, said.zone) : `${dayAndTime(at, said)} (${said.name})`;
}

/** `Fri 20 Nov 2026, 18:00` */
function dayAndTime(at: number, { zone, aheadMs }: SaidZone): string {
  const clock = wallClockAt(at + aheadMs, zone);
  return `${formatDay(clock)}, ${formatTime(clock)}`;
}

function skipped(clock: WallClock, resumesAt: number, zone: string): string {
  const offsetBeforeMs = offsetAt(zone, resumesAt - 1) * 60_000;
  const from = formatTime(wallClockAt(resumesAt + offsetBeforeMs, "UTC"));
  const to = formatTime(wallClockAt(resumesAt, zone));
  return (
    `On ${formatDay(addDays(clock, 0))} the clocks in ${zone} jump from ${from} to ${to}: ${formatTime(clock)} does not exist. ` +
    `The next valid time is ${formatMoment(resumesAt, zone)}.`
  );
}
