import { monthName } from "./format-moment.ts";
import type { Interval } from "./intervals.ts";
import { addDays, type CalendarDay, momentOf, wallClockAt, weekdays } from "./wall-clock.ts";

/** The week of a moment in an IANA zone, from Monday 00:00. With a clock change it is an hour shorter or longer. */
export function weekAt(at: number, zone: string): Interval {
  const { weekday, ...day } = wallClockAt(at, zone);
  const monday = addDays(day, -((weekdays.indexOf(weekday) + 6) % 7));
  return { from: startOfDay(monday, zone), to: startOfDay(addDays(monday, 7), zone) };
}

/** The weeks that an interval touches, in order. */
export function weeksTouched({ from, to }: Interval, zone: string): readonly Interval[] {
  const weeks: Interval[] = [];
  for (let week = weekAt(from, zone); week.from < to; week = weekAt(week.to, zone)) weeks.push(week);
  return weeks;
}

/** "this week", "next week", later "in the week of 7 Dec". */
export function weekWords(week: Interval, now: number, zone: string): string {
  const present = weekAt(now, zone);
  if (week.from === present.from) return "this week";
  if (week.from === present.to) return "next week";
  const monday = wallClockAt(week.from, zone);
  return `in the week of ${monday.day} ${monthName(monday)}`;
}

/** A day can begin later than midnight, when the clock skips it. */
export function startOfDay(day: CalendarDay, zone: string): number {
  return momentOf({ ...day, hour: 0, minute: 0 }, zone);
}
