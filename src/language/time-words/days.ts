import { addDays, type CalendarDay, type DayOfWeek, weekdays } from "../../time/wall-clock.ts";
import type { Days } from "./parts.ts";

/** The day some days from today. */
export function fromToday(count: number): Days {
  return { is: count === 0 ? "today" : "day", of: (today) => [addDays(today, count)] };
}

/** The week some weeks from this one, Monday first. It ends on Friday for the team. */
export function week(count: number): Days {
  const monday = (today: DayOfWeek) => addDays(today, 7 * count - ((weekdays.indexOf(today.weekday) + 6) % 7));
  return {
    is: "period",
    of: (today) => [0, 1, 2, 3, 4, 5, 6].map((day) => addDays(monday(today), day)),
    lastOf: (today) => addDays(monday(today), 4),
    spans: (today) => [{ first: monday(today), last: addDays(monday(today), 4) }],
  };
}

export function month(count: number): Days {
  const first = (today: CalendarDay) => addDays({ ...today, month: today.month + count, day: 1 }, 0);
  const last = (today: CalendarDay) => addDays({ ...today, month: today.month + count + 1, day: 0 }, 0);
  return {
    is: "period",
    of: (today) => [first(today)],
    lastOf: last,
    spans: (today) => [{ first: first(today), last: last(today) }],
  };
}

export function year(count: number): Days {
  return {
    is: "period",
    of: (today) => [{ year: today.year + count, month: 1, day: 1 }],
    lastOf: (today) => ({ year: today.year + count, month: 12, day: 31 }),
  };
}

/** A weekend lasts until Monday morning. Several when it is open which one. */
export function weekend(weeks: readonly number[]): Days {
  const of = (today: DayOfWeek) => weeks.flatMap((count) => week(count).of(today).slice(0, 1));
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
  const of = (today: CalendarDay) => [next(today)];
  return { is: "day", of, spans: (today) => [{ first: next(today), last: addDays(next(today), more) }] };
}
