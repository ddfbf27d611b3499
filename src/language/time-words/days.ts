import { addDays, type CalendarDay, type DayOfWeek, daysBetween, weekdays } from "../../time/wall-clock.ts";
import type { Days } from "./parts.ts";

/** The day some days from today. */
export function fromToday(count: number): Days {
  return { is: count === 0 ? "today" : "day", of: (today) => [addDays(today, count)] };
}

type OnDay = (today: DayOfWeek) => CalendarDay;

const period = (first: OnDay, last: OnDay, from = first): Days => ({
  is: "period",
  of: (today) => [first(today)],
  spans: (today) => [{ first: from(today), last: last(today) }],
});

const mondayIn = (count: number) => (today: DayOfWeek) =>
  addDays(today, 7 * count - ((weekdays.indexOf(today.weekday) + 6) % 7));

/** The week some weeks from this one, Monday first. It ends on Friday for the team. */
export function week(count: number): Days {
  const monday = mondayIn(count);
  const days = period(monday, (today) => addDays(monday(today), 4));
  return { ...days, of: (today) => [0, 1, 2, 3, 4, 5, 6].map((day) => addDays(monday(today), day)) };
}

const firstOf = (year: number, month: number): CalendarDay => addDays({ year, month, day: 1 }, 0);

export const month = (count: number): Days =>
  period(
    (today) => firstOf(today.year, today.month + count),
    (today) => addDays(firstOf(today.year, today.month + count + 1), -1),
  );

export const year = (count: number): Days => ({
  is: "period",
  of: (today) => [{ year: today.year + count, month: 1, day: 1 }],
});

/** A month named without a day: the next one that begins; a whole one may have begun. */
export function nextMonthNamed(month: number, year: number | undefined): Days {
  const first = (today: CalendarDay) => firstOf(year ?? today.year + (month <= today.month ? 1 : 0), month);
  const from = (today: CalendarDay) => (month === today.month && year === undefined ? today : first(today));
  return period(first, (today) => addDays(firstOf(from(today).year, month + 1), -1), from);
}

/** A weekend lasts until Monday morning. Several when it is open which one; 0 for the last one. */
export function weekend(weeks: readonly number[]): Days {
  const of = (today: DayOfWeek) => weeks.map((count) => mondayIn(count)(today));
  const spans = (today: DayOfWeek) =>
    of(today).map((monday) => ({ first: addDays(monday, -2), last: addDays(monday, -1) }));
  return { is: "day", of, spans, assumed: "after the weekend" };
}

/** The next such day of a year, and how many more it lasts. */
export function feast(date: { readonly month: number; readonly day: number }, more: number): Days {
  const next = (today: CalendarDay) => {
    const last = addDays({ ...date, year: today.year }, more);
    const isPast = last.year === today.year && last.month * 100 + last.day < today.month * 100 + today.day;
    return { ...date, year: today.year + (isPast ? 1 : 0) };
  };
  return { ...period(next, (today) => addDays(next(today), more)), is: "day" };
}

interface SaidDate {
  readonly year?: number | undefined;
  readonly month: number;
  readonly day: number;
}

/** Several dates are the ways to read one. A way that has just passed is left out when another is near. */
export function onDates(dates: readonly SaidDate[]): Days {
  return {
    is: "day",
    of: (today) => {
      // Without a year, one that has just passed stays in the past: it is more likely a slip than next year.
      const inItsYear = ({ year, month, day }: SaidDate) => ({
        ...{ month, day },
        year: year ?? today.year + (today.month - month >= 3 ? 1 : 0),
      });
      if (dates.length === 1) return dates.map(inItsYear).filter(exists);
      const next = dates.map((date) => nextOf(date, today)).filter(exists);
      const near = next.filter((day) => daysBetween(today, day) <= nearDays);
      const isOtherFar = next.every((day) => near.includes(day) || daysBetween(today, day) > 365 - nearDays);
      return near.length === 1 && isOtherFar ? near : next;
    },
  };
}

const nearDays = 92;

function nextOf({ year, month, day }: SaidDate, today: CalendarDay): CalendarDay {
  const thisYear = { year: year ?? today.year, month, day };
  return year === undefined && daysBetween(today, thisYear) < 0 ? { ...thisYear, year: today.year + 1 } : thisYear;
}

function exists(date: CalendarDay): boolean {
  const { month, day } = addDays(date, 0);
  return month === date.month && day === date.day;
}

/** `the 25th`: of this month, or of the next that has one. `add`: of the month so many months from now. */
export function theDay(day: number, add: number | undefined): Days {
  const of = (today: DayOfWeek) => {
    const first = add ?? (day < today.day ? 1 : 0);
    const months = [first, first + 1].map((count) => firstOf(today.year, today.month + count));
    return months
      .map((each) => ({ ...each, day }))
      .filter(exists)
      .slice(0, 1);
  };
  return { is: "day", of };
}

/** The first, second, … or last (-1) such weekday of the next such month, or of the month so many months from now. */
export function nthWeekday(weekday: number, nth: number, month: number | undefined, add = 0): Days {
  const inMonth = (first: CalendarDay) => {
    const start = addDays(first, 0);
    const ahead = (weekday - weekdays.indexOf(start.weekday) + 7) % 7;
    const all = [0, 1, 2, 3, 4].map((count) => addDays(start, ahead + 7 * count));
    const days = all.filter((day) => day.month === start.month);
    return days.slice(nth < 0 ? -1 : nth - 1, nth < 0 ? undefined : nth);
  };
  const of = (today: DayOfWeek) => {
    const [found] = inMonth(firstOf(today.year, month ?? today.month + add));
    const isPast = month !== undefined && (!found || daysBetween(today, found) < 0);
    return isPast ? inMonth(firstOf(today.year + 1, month)) : found ? [found] : [];
  };
  return { is: "day", of };
}
