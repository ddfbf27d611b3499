import { addDays, type CalendarDay, instantOf, wallClockAt } from "./wall-clock.ts";
import { ianaZone } from "./zone.ts";

/** What tells when a `daily` schedule runs (spec.md, "Schedule object"). */
export interface DailySchedule {
  /** Lower-case weekday names. */
  readonly days: readonly string[];
  /** `HH:MM:SS` or `HH:MM` */
  readonly timeOfDay: string;
  /** An IANA or a Windows id. */
  readonly timeZoneId: string;
  /** `YYYY-MM-DD`: no run before this day. */
  readonly startDate?: string;
}

/**
 * The first run after an instant, `null` when the schedule cannot be read or has no days. A run whose time the clock skips
 * comes at the first instant after the gap; in a repeated hour there is one run, the first time round.
 */
export function nextDailyRun(schedule: DailySchedule, after: number): number | null {
  const zone = ianaZone(schedule.timeZoneId);
  const time = readTime(schedule.timeOfDay);
  if (zone === undefined || time === undefined) return null;
  const firstDay = earliestDay(schedule.startDate, wallClockAt(after, zone));
  if (firstDay === undefined) return null;
  for (let count = 0; count < DAYS_TO_SEARCH; count++) {
    const { weekday, ...day } = addDays(firstDay, count);
    if (!schedule.days.some((name) => name.toLowerCase() === weekday)) continue;
    const run = instantOf({ ...day, ...time }, zone);
    const at = run.kind === "instant" ? run.at : run.resumesAt;
    if (at > after) return at;
  }
  return null;
}

/** From the day before, whose skipped run may come today, to two weeks on, since a zone may skip a whole day. */
const DAYS_TO_SEARCH = 16;

function readTime(text: string) {
  const [, hour, minute, second = "0"] = /^(\d{1,2}):(\d{2})(?::(\d{2}))?$/.exec(text.trim()) ?? [];
  const time = { hour: Number(hour), minute: Number(minute), second: Number(second) };
  return time.hour < 24 && time.minute < 60 && time.second < 60 ? time : undefined;
}

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
