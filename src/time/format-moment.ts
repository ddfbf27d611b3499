import { wallClockAt } from "./wall-clock.ts";
import { describeZone } from "./zone.ts";

/** A moment in fixed English, for fallback texts and the terminal: `Fri 20 Nov 2026, 18:00 (Europe/Berlin, UTC+01:00)`. */
export function formatMoment(at: number, zone: string): string {
  const clock = wallClockAt(at, zone);
  return `${formatDay(clock)}, ${formatTime(clock)} (${describeZone(zone, at)})`;
}

/** `Fri 20 Nov 2026` */
export function formatDay(day: { year: number; month: number; day: number; weekday: string }): string {
  const weekday = day.weekday.charAt(0).toUpperCase() + day.weekday.slice(1, 3);
  return `${weekday} ${day.day} ${MONTHS[day.month - 1]} ${day.year}`;
}

/** `18:00`, with seconds only when there are any. */
export function formatTime(clock: { hour: number; minute: number; second?: number }): string {
  const shown = clock.second ? [clock.hour, clock.minute, clock.second] : [clock.hour, clock.minute];
  return shown.map((number) => String(number).padStart(2, "0")).join(":");
}

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"] as const;
