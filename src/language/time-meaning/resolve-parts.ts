import { formatMoment } from "../../time/format-moment.ts";
import {
  addDays,
  type CalendarDay,
  type DayOfWeek,
  type WallClock,
  wallClockAt,
  weekdays,
} from "../../time/wall-clock.ts";
import { ianaZone, nearestZone } from "../../time/zone.ts";
import type { Clock, Parts, SaidZone } from "../time-words/parts.ts";
import { type DayMeant, daysMeant } from "./days-meant.ts";
import { chooseMoment, followWay, type Outcome, type Way } from "./follow-way.ts";
import { minutesMeant, nightEnds } from "./open-clock.ts";
import { clockText, minutesOf, type Use, untimed } from "./team-day.ts";
import { invalid, type TimeContext, type TimeReading } from "./time-reading.ts";

/** The moment that the parts mean now, or the moments to choose from. Each way to read them is followed to its moment. */
export function resolveParts(parts: Parts, use: Use, typed: string, context: TimeContext): TimeReading {
  if (parts.problem !== undefined) return invalid(parts.problem);
  const clash = clashIn(parts, use, typed, context);
  if (clash) return clash;
  const zones = parts.zones ?? [ownZone(parts, context)];
  const outcomes: Outcome[] = [];
  for (const said of zones) {
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
  const zone = ianaZone(ownZone(parts, context).zone) ?? "UTC";
  const meant = daysMeant(parts, wallClockAt(context.now, zone));
  if (!("problem" in meant) || !meant.days) return undefined;
  const { weekday: _weekday, ...rest } = parts;
  const read = meant.days.map((day) =>
    resolveParts({ ...rest, days: { is: "day", of: () => [day] } }, use, typed, context),
  );
  const options = read.flatMap((each) =>
    each.kind === "moment"
      ? [{ label: formatMoment(each.at, ianaZone(context.zone) ?? zone), at: each.at }]
      : each.kind === "choice"
        ? each.options
        : [],
  );
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

/** `2027` after `until` may be the year. */
function mayBeYear({ written, hour, minute }: Clock, year: number): boolean {
  const said = hour * 100 + minute;
  return written === "without a mark" && said >= year && said <= year + 3;
}

const yearOrTime = ({ hour, minute }: Clock): string =>
  `That can be a year or a time. Write ${hour}:${minute} for the time, or a date.`;

type Today = DayOfWeek & Required<WallClock>;
type Ways = readonly Way[] | { readonly problem: string };

/** A way for each day and each half of the day that may be meant. */
function timedWays(parts: Parts, clock: Clock, today: Today, { dayStarts, dayEnds }: TimeContext): Ways {
  const days = daysMeant(parts, today);
  if ("problem" in days) return days;
  const hasDay = parts.days !== undefined || parts.weekday !== undefined;
  if (mayBeYear(clock, today.year)) return { problem: yearOrTime(clock) };
  const [starts, ends] = [minutesOf(dayStarts), minutesOf(dayEnds)];
  const around = {
    dayPart: parts.dayPart,
    hasDay,
    isToday: parts.days?.is === "today",
    now: today.hour * 60 + today.minute,
    starts,
    ends,
  };
  const midnight = midnights(parts, clock, hasDay);
  const { minutes: times, instead } = midnight
    ? { minutes: midnight, instead: undefined }
    : minutesMeant(clock, around);
  if (times.length === 0)
    return { problem: `${clockText(clock.hour * 60 + clock.minute)} is not in the ${parts.dayPart}.` };
  return days.flatMap(({ day, again }) =>
    [...times, ...(instead === undefined ? [] : [instead])].map((minutes) => ({
      isInstead: minutes === instead,
      clocks: [0, ...(again ? [again] : [])].map((count) => onClock(addDays(day, count), minutes, clock.second)),
      isTyped: true,
      assumed: (isMoved: boolean) => {
        if (isMoved && (hasDay || minutes >= nightEnds))
          return `${hasDay ? "next week" : "tomorrow"}, since ${clockText(minutes)} has passed today`;
        const said = clock.isHalf && instead !== undefined ? instead : clock.hour * 60 + clock.minute;
        const isOther = clock.isHalf || (clock.isOpen && parts.dayPart === undefined && minutes !== said);
        return isOther ? `${clockText(minutes)} rather than ${clockText(said)}` : undefined;
      },
    })),
  );
}

/** Midnight is where two days meet: that of a named day is open, tonight's is the next. */
function midnights({ days, dayPart }: Parts, { isMidnight }: Clock, hasDay: boolean): readonly number[] | undefined {
  if (!isMidnight || dayPart !== undefined) return undefined;
  return !hasDay || days?.is === "today" ? [1440] : [0, 1440];
}

/** A way for each time of the team's day that may be meant. */
function untimedWays(said: Parts, use: Use, today: Today, context: TimeContext): Ways {
  const ways: Way[] = [];
  for (const parts of withEdges(said, use, today)) {
    const days = daysMeant(parts, today);
    if ("problem" in days) return days;
    ways.push(...waysOfTeamDay(parts, days, use, today, context));
  }
  return ways;
}

function waysOfTeamDay(
  parts: Parts,
  days: readonly DayMeant[],
  use: Use,
  today: Today,
  context: TimeContext,
): readonly Way[] {
  const isSmallHours = today.hour * 60 < nightEnds;
  const isOwnZone = context.dayZone === context.zone;
  const inZone = (minutes: number) => (isOwnZone ? "" : ` in ${context.dayZone}, ${clockText(minutes)} there`);
  const isInAWeek = parts.weekday?.which === "coming" && !parts.days && today.weekday === weekdays[parts.weekday.index];
  const afterWhat = parts.days?.assumed === undefined ? "" : ` ${parts.days.assumed}`;
  return days.flatMap(({ day, again }) =>
    untimed(parts, use, { ...context, isSmallHours, isToday: dayNumber(day) === dayNumber(today) }).map(
      ({ minutes, orMinutes, assumed }) => ({
        clocks: [
          onClock(day, minutes),
          ...(orMinutes === undefined ? [] : [onClock(day, orMinutes)]),
          ...(again === 1 && (use === "until" || parts.dayPart) && orMinutes === undefined
            ? [onClock(addDays(day, 1), minutes)]
            : []),
        ],
        isTyped: false,
        assumed: (isMoved: boolean) =>
          isMoved && orMinutes !== undefined
            ? `midnight in ${context.dayZone}, since ${clockText(minutes)} has passed`
            : `${isInAWeek ? "next week, " : ""}${assumed}${afterWhat}${inZone(minutes)}`,
      }),
    ),
  );
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

const dayNumber = ({ year, month, day }: CalendarDay): number => (year * 100 + month) * 100 + day;

/** Minutes beyond a day are on the next one. */
function onClock(day: CalendarDay, minutes: number, second = 0): WallClock {
  const { year, month, day: date } = addDays(day, Math.floor(minutes / 1440));
  return { year, month, day: date, hour: Math.floor((minutes % 1440) / 60), minute: minutes % 60, second };
}
