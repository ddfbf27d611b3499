import { formatDay } from "../../time/format-moment.ts";
import { addDays, type CalendarDay, type DayOfWeek, wallClockAt, weekdays } from "../../time/wall-clock.ts";
import { ianaZone } from "../../time/zone.ts";
import type { Parts } from "../time-words/parts.ts";
import type { TimeContext } from "./time-reading.ts";

/** Today in a zone, without one where the team is. */
export const todayOf = ({ now, dayZone }: TimeContext, zone = dayZone) => wallClockAt(now, ianaZone(zone) ?? "UTC");

export interface DayMeant {
  readonly day: CalendarDay;
  /** Days until it comes again, for when it has passed. */
  readonly again?: number;
}

export interface NoDay {
  readonly problem: string;
  /** Those of which one may be meant, where the words contradict each other: “tomorrow, tuesday”. */
  readonly days?: readonly CalendarDay[];
}

/** The days that the words mean, or why there is none. Without any, today or tomorrow. */
export function daysMeant(
  { days, weekday, shift = 0, clock, edge }: Parts,
  today: DayOfWeek,
  hasTime = clock !== undefined,
): readonly DayMeant[] | NoDay {
  const moved = (day: CalendarDay, again?: number): DayMeant => ({
    day: addDays(day, shift),
    ...(again ? { again } : {}),
  });
  if (weekday?.which === "this" && !hasTime && weekdays[weekday.index] === today.weekday)
    return { problem: "That is today. Write “today”, or the date." };
  if (!days)
    return weekday
      ? weekdaysMeant(weekday, today, hasTime).map(({ day, again }) => moved(day, again))
      : [{ day: today, again: 1 }];
  const said = days.of(today);
  if (said.length === 0) return { problem: "The calendar has no such day." };
  if (weekday) {
    const fitting = said.filter((day) => addDays(day, 0).weekday === weekdays[weekday.index]);
    if (fitting.length > 0) return fitting.map((day) => moved(day));
    const [day = today] = said;
    const other = weekdaysMeant(weekday, addDays(day, -1), false)[0]?.day ?? day;
    return {
      problem: `That does not fit the calendar: that day is ${formatDay(addDays(day, 0))}.`,
      days: [day, other],
    };
  }
  if (days.is !== "period") return said.map((day) => moved(day));
  if (hasTime) return { problem: "That does not say which day. Add it, such as “monday 9am”." };
  const [first = today] = said;
  // A year has no span: nothing is asked for that long.
  const last = days.spans?.(today)[0]?.last ?? { year: first.year, month: 12, day: 31 };
  return [moved(edge === "end" ? last : first)];
}

function weekdaysMeant(
  { index, which }: NonNullable<Parts["weekday"]>,
  today: DayOfWeek,
  hasTime: boolean,
): readonly DayMeant[] {
  const now = weekdays.indexOf(today.weekday);
  const ahead = (index - now + 7) % 7;
  const later = ahead || 7;
  if (which !== "next") return [{ day: addDays(today, hasTime ? ahead : later), again: 7 }];
  // In the same week still, `next friday` may be this one or the one after. A week begins on Monday.
  const isThisWeek = ((now + 6) % 7) + later < 7;
  return (isThisWeek ? [later, later + 7] : [later]).map((count) => ({ day: addDays(today, count) }));
}
