import { timeAt } from "./format-moment.ts";
import { addDays, type CalendarDay, momentOf, readClock, type Weekday, wallClockAt } from "./wall-clock.ts";

/** Times that come again on days of the week, on the wall clock of a zone, up to a last day. */
export interface Recurrence {
  readonly days: readonly Weekday[];
  /** `HH:MM`. One that ends no later than it starts ends on the next day. */
  readonly starts: string;
  readonly ends: string;
  /** An IANA id. */
  readonly zone: string;
  /** `YYYY-MM-DD`, included. Undefined for one that begins when it is planned. */
  readonly firstDay?: string | undefined;
  /** `YYYY-MM-DD`, included. */
  readonly lastDay: string;
  /** Only in each so manieth week, counted from that of the first day. */
  readonly weeks?: number | undefined;
  /** Only the first (1) to fourth or the last (-1) such weekday of its month. */
  readonly nth?: number | undefined;
  /** The calendars whose days off are left out, and days (`YYYY-MM-DD`). */
  readonly notOn: readonly string[];
  /** Other times of day, from a day on. */
  readonly later?: { readonly starts: string; readonly ends: string; readonly firstDay: string } | undefined;
}

/** One time of a recurrence, in epoch ms. */
export interface Occurrence {
  readonly startsAt: number;
  readonly endsAt: number;
  /** The day on which it starts, `YYYY-MM-DD`. */
  readonly day: string;
}

const mostDays = 800;

/** The times of a recurrence that start after a moment, whose day is not off. A time that the clocks skip is the first one after. */
export function occurrencesOf(
  recurrence: Recurrence,
  after: number,
  isOff: (day: string) => boolean = () => false,
): readonly Occurrence[] {
  const { days, zone, firstDay = "", lastDay, later } = recurrence;
  const today = wallClockAt(after, zone);
  const first = isoDay(today) < firstDay ? calendarDay(firstDay) : today;
  const found: Occurrence[] = [];
  for (let count = 0; count < mostDays; count++) {
    const { weekday, ...day } = addDays(first, count);
    const name = isoDay(day);
    if (name > lastDay) break;
    if (!days.includes(weekday) || !isOfWeeks(day, recurrence) || isOff(name)) continue;
    const { starts, ends } = later && name >= later.firstDay ? later : recurrence;
    const startsAt = at(day, starts, zone);
    const endsAt = at(ends > starts ? day : addDays(day, 1), ends, zone);
    if (startsAt > after && endsAt > startsAt) found.push({ startsAt, endsAt, day: name });
  }
  return found;
}

/** Where the time of today is under way, it begins in a minute; the others stay as they are. */
export function withToday(recurrence: Recurrence, now: number): Recurrence {
  const { days, starts, ends, zone, firstDay = "", lastDay, notOn, later } = recurrence;
  const { weekday, ...today } = wallClockAt(now, zone);
  const [day, next] = [isoDay(today), isoDay(addDays(today, 1))];
  const isOn = days.includes(weekday) && day >= firstDay && day <= lastDay && !notOn.includes(day);
  const endsAt = at(ends > starts ? today : addDays(today, 1), ends, zone);
  if (later || !isOn || !isOfWeeks(today, recurrence) || at(today, starts, zone) > now || endsAt <= now + minuteMs)
    return recurrence;
  const soon = timeAt(now + minuteMs, zone);
  const others = next > lastDay ? {} : { later: { starts, ends, firstDay: next } };
  return soon < starts ? recurrence : { ...recurrence, starts: soon, firstDay: day, ...others };
}

const minuteMs = 60_000;

/** Whether a day is in one of the weeks that count, if not all do. */
function isOfWeeks(day: CalendarDay, { weeks = 1, nth, firstDay }: Recurrence): boolean {
  if (nth === -1) return addDays(day, 7).month !== day.month;
  if (nth !== undefined) return Math.ceil(day.day / 7) === nth;
  return firstDay === undefined || (weekOf(day) - weekOf(calendarDay(firstDay))) % weeks === 0;
}

/** Counts weeks, each from its Monday. */
const weekOf = ({ year, month, day }: CalendarDay): number =>
  Math.floor((Date.UTC(year, month - 1, day) / 86_400_000 + 3) / 7);

function at({ year, month, day }: CalendarDay, time: string, zone: string): number {
  return momentOf({ year, month, day, hour: 0, minute: 0, ...readClock(time) }, zone);
}

/** `2026-12-31` */
export const isoDay = ({ year, month, day }: CalendarDay): string =>
  [year, String(month).padStart(2, "0"), String(day).padStart(2, "0")].join("-");

/** The calendar day of `2026-12-31`. */
export function calendarDay(iso: string): CalendarDay {
  const [year = 0, month = 1, day = 1] = iso.split("-").map(Number);
  return { year, month, day };
}
