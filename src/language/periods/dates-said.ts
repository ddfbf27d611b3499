import { weekdays } from "../../service/resources.ts";
import { calendarDay, isoDay } from "../../time/recurrence.ts";
import { addDays, type CalendarDay, weekdays as fromSunday, type Weekday, wallClockAt } from "../../time/wall-clock.ts";
import { ianaZone } from "../../time/zone.ts";
import { readDays } from "../day-list.ts";
import { daysMeant } from "../time-meaning/days-meant.ts";
import type { TimeContext } from "../time-meaning/time-reading.ts";
import type { Parts } from "../time-words/parts.ts";

/** Days of the week alone as `without`, others as the dates that they are. */
export function daysOff(
  said: readonly Parts[],
  isRange: boolean,
  context: TimeContext,
): { readonly notOn?: readonly string[]; readonly without?: readonly Weekday[] } | string {
  const isOfWeek = said.every(({ days, weekday, shift }) => weekday && !days && shift === undefined);
  if (isOfWeek) {
    const names = said.map(({ weekday }) => fromSunday[weekday?.index ?? 0]).join(isRange ? "-" : " ");
    const read = readDays(names);
    return "unknown" in read ? names : { without: read.days };
  }
  const dates = datesMeant(said, isRange, context);
  return typeof dates === "string" ? dates : { notOn: dates };
}

export interface Span {
  readonly first: CalendarDay;
  readonly last: CalendarDay;
}

/** A week ends on Friday for the team; who names its days may mean the weekend as well. */
export const isWeek = ({ first, last }: Span): boolean =>
  addDays(first, 0).weekday === "monday" && isoDay(addDays(first, 4)) === isoDay(last);

export function daysIn({ first, last }: Span): readonly Weekday[] {
  const own = new Set(allDays(first, last).map((day) => addDays(calendarDay(day), 0).weekday));
  return weekdays.filter((day) => own.has(day));
}

/** The dates that were said, as `YYYY-MM-DD`; or why they are none. `isInOrder`: those of days of the week follow each other. */
export function datesMeant(
  said: readonly Parts[],
  isRange: boolean,
  context: TimeContext,
  isInOrder = isRange,
): readonly string[] | string {
  const dates: string[] = [];
  const today = todayOf(context);
  for (const parts of said) {
    const meant = daysMeant(parts, today);
    if ("problem" in meant) return meant.problem;
    const [only, ...more] = meant;
    const isToday =
      isInOrder && !isRange && !parts.days && weekdays[((parts.weekday?.index ?? 0) + 6) % 7] === today.weekday;
    if (!only || more.length > 0 || isToday) return "That does not say which days. Give their dates.";
    const date = isoDay(only.day);
    const isBefore = isInOrder && !parts.days && date < (dates.at(-1) ?? "");
    dates.push(isBefore ? isoDay(addDays(only.day, 7)) : date);
  }
  const [from = "", to = from] = [dates[0], dates.at(-1)];
  return isRange ? allDays(calendarDay(from), calendarDay(to)) : [...new Set(dates)].toSorted();
}

const mostDays = 366;

export function allDays(first: CalendarDay, last: CalendarDay): readonly string[] {
  const days = Array.from({ length: mostDays }, (_each, index) => isoDay(addDays(first, index)));
  return days.filter((day) => day <= isoDay(last));
}

export const todayOf = ({ now, dayZone }: TimeContext) => wallClockAt(now, ianaZone(dayZone) ?? "UTC");
