import { formatInTimeZone } from "date-fns-tz/formatInTimeZone";
import { describeZone } from "./zone.ts";

/**
 * A moment in fixed English, for fallback texts and the terminal: `Fri 20 Nov 2026, 18:00 (Europe/Berlin, UTC+01:00)`. date-fns-tz
 * is right only in a process whose own zone is UTC, which main.ts sets.
 */
export function formatMoment(at: number, zone: string): string {
  const time = at % 60_000 < 1000 ? "HH:mm" : "HH:mm:ss";
  return `${formatInTimeZone(at, zone, `${dayFormat}, ${time}`)} (${describeZone(zone, at)})`;
}

const dayMs = 86_400_000;

/** A moment near `now` as people say it: `today 19:00`, `yesterday 08:00`, `Mon 09:30`, later `Fri 20 Nov, 18:00`. */
export function shortMoment(at: number, zone: string, now: number): string {
  const days = [at, now].map((each) => Date.parse(formatInTimeZone(each, zone, "yyyy-MM-dd")));
  const ahead = Math.round(((days[0] ?? 0) - (days[1] ?? 0)) / dayMs);
  const time = formatInTimeZone(at, zone, "HH:mm");
  if (ahead === 0) return `today ${time}`;
  if (ahead === 1) return `tomorrow ${time}`;
  if (ahead === -1) return `yesterday ${time}`;
  return ahead > 1 && ahead < 7
    ? formatInTimeZone(at, zone, "EEE HH:mm")
    : formatInTimeZone(at, zone, "EEE d MMM, HH:mm");
}

/** `Fri 20 Nov` */
export const shortDay = (at: number, zone: string): string => formatInTimeZone(at, zone, "EEE d MMM");

/** `18:00–22:00` */
export const timeSpan = (startsAt: number, endsAt: number, zone: string): string =>
  `${formatInTimeZone(startsAt, zone, "HH:mm")}–${formatInTimeZone(endsAt, zone, "HH:mm")}`;

/** `Fri 20 Nov 2026` */
export function formatDay({ year, month, day }: { year: number; month: number; day: number }): string {
  return formatInTimeZone(Date.UTC(year, month - 1, day), "UTC", dayFormat);
}

/** `18:00`, with seconds only when there are any. */
export function formatTime(clock: { hour: number; minute: number; second?: number }): string {
  const shown = clock.second ? [clock.hour, clock.minute, clock.second] : [clock.hour, clock.minute];
  return shown.map((number) => String(number).padStart(2, "0")).join(":");
}

const dayFormat = "EEE d MMM yyyy";
