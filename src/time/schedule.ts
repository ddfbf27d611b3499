import { addDays, type CalendarDay, momentOf, readClock, wallClockAt, weekdays } from "./wall-clock.ts";
import { ianaZone } from "./zone.ts";

/** The fields that decide when a `daily` schedule runs (API.md, "Schedule"). */
export interface DailySchedule {
  /** Lower-case weekday names. */
  readonly days: readonly string[];
  /** `HH:MM:SS` or `HH:MM` */
  readonly timeOfDay: string;
  /** An IANA or Windows id. */
  readonly timeZoneId: string;
  /** `YYYY-MM-DD`: no run before this day. */
  readonly startDate?: string;
}

/**
 * The runs after an instant; none when the schedule is unreadable, also one of its days, or has no days. If the clock skips the run's time, the
 * run comes at the first instant after the gap. A repeated hour has one run, on the first pass.
 */
export function* dailyRuns(schedule: DailySchedule, after: number): Generator<number, undefined> {
  const zone = ianaZone(schedule.timeZoneId);
  const time = /^[\d:\s]+$/.test(schedule.timeOfDay) ? readClock(schedule.timeOfDay) : undefined;
  const days = schedule.days.map((name) => name.toLowerCase());
  if (zone === undefined || time === undefined || !days.every(isWeekday)) return;
  const firstDay = earliestDay(schedule.startDate, wallClockAt(after, zone));
  if (firstDay === undefined) return;
  let last = after;
  for (let count = 0, end = DAYS_TO_SEARCH; count < end; count++) {
    const { weekday, ...day } = addDays(firstDay, count);
    if (!days.includes(weekday)) continue;
    const at = momentOf({ ...day, ...time }, zone);
    if (at <= last) continue;
    yield at;
    last = at;
    end = count + DAYS_TO_SEARCH;
  }
}

/** The first of them. */
export const nextDailyRun = (schedule: DailySchedule, after: number): number | null =>
  dailyRuns(schedule, after).next().value ?? null;

const isWeekday = (name: string): boolean => weekdays.some((each) => each === name);

/** From yesterday, whose skipped run may come today, to two weeks ahead, because a zone may skip a whole day. */
const DAYS_TO_SEARCH = 16;

function earliestDay(startDate: string | undefined, today: CalendarDay) {
  const yesterday = addDays(today, -1);
  if (startDate === undefined) return yesterday;
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})(?:T.*)?$/.exec(startDate.trim()) ?? [];
  if (year === undefined) return undefined;
  const start = addDays({ year: Number(year), month: Number(month), day: Number(day) }, 0);
  return dayNumber(start) > dayNumber(yesterday) ? start : yesterday;
}

function dayNumber({ year, month, day }: CalendarDay): number {
  return Date.UTC(year, month - 1, day);
}
