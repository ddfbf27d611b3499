import { type CalendarDay, daysBetween, wallClockAt, weekdayOf } from "./wall-clock.ts";
import { describeZone } from "./zone.ts";

/** A moment in fixed English, for fallback texts and the terminal: `Fri 20 Nov 2026, 18:00 (Europe/Berlin, UTC+01:00)`. */
export function formatMoment(at: number, zone: string): string {
  const clock = wallClockAt(at, zone);
  return `${formatDay(clock)}, ${formatTime(clock)} (${describeZone(zone, at)})`;
}

/** A moment near `now` as people say it: `today 19:00`, `yesterday 08:00`, `Mon 09:30`, later `Fri 20 Nov, 18:00`. */
export function shortMoment(at: number, zone: string, now: number): string {
  const clock = wallClockAt(at, zone);
  const ahead = daysBetween(wallClockAt(now, zone), clock);
  const time = timeAt(at, zone);
  if (Math.abs(ahead) <= 1) return `${["yesterday", "today", "tomorrow"][ahead + 1]} ${time}`;
  return ahead > 1 && ahead < 7 ? `${weekdayName(clock)} ${time}` : `${dayAndMonth(clock)}, ${time}`;
}

/** `Fri 20 Nov` */
export const shortDay = (at: number, zone: string): string => dayAndMonth(wallClockAt(at, zone));

/** `Fri 20 Nov, 18:00`, where the zone is named once for several. */
export const dayAndTime = (at: number, zone: string): string => `${shortDay(at, zone)}, ${timeAt(at, zone)}`;

/** `18:00–22:00` */
export const timeSpan = (startsAt: number, endsAt: number, zone: string): string =>
  `${timeAt(startsAt, zone)}–${timeAt(endsAt, zone)}`;

/** `Fri 20 Nov 2026` */
export const formatDay = (day: CalendarDay): string => `${dayAndMonth(day)} ${day.year}`;

/** `18:00`, with seconds only when there are any. */
export function formatTime(clock: { hour: number; minute: number; second?: number }): string {
  const shown = clock.second ? [clock.hour, clock.minute, clock.second] : [clock.hour, clock.minute];
  return shown.map((number) => String(number).padStart(2, "0")).join(":");
}

/** `18:00` */
export const timeAt = (at: number, zone: string): string => formatTime({ ...wallClockAt(at, zone), second: 0 });

const dayAndMonth = (day: CalendarDay): string => `${weekdayName(day)} ${day.day} ${monthName(day)}`;

/** `Fri` */
function weekdayName(day: CalendarDay): string {
  const name = weekdayOf(day);
  return `${name.charAt(0).toUpperCase()}${name.slice(1, 3)}`;
}

/** `Nov` */
export const monthName = ({ month }: CalendarDay): string => months[month - 1] ?? "";
const months = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");
