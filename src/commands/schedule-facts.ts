import type { Schedule } from "../service/resources.ts";
import { weekdays } from "../service/resources.ts";
import { nextDailyRun } from "../time/schedule.ts";
import { wallClockAt } from "../time/wall-clock.ts";
import { describeZone, describeZoneId } from "../time/zone.ts";
import type { Fact } from "./answer.ts";

/** A schedule in its own zone and, for `daily` ones, the same time in the reader's. `now` in epoch ms. */
export function scheduleFacts(schedule: Schedule | undefined, now: number, zone: string): readonly Fact[] {
  if (!schedule?.scheduleType) return [];
  const { scheduleType, timeOfDay, timeZoneId, startDate, parameters } = schedule;
  const days = parameters?.days ?? [];
  const own = scheduleWords(schedule, now);
  const facts: Fact[] = [{ label: "Schedule", value: own }];
  if (scheduleType !== "daily" || !timeOfDay || !timeZoneId) return facts;
  const next = nextDailyRun({ days, timeOfDay, timeZoneId, ...(startDate ? { startDate } : {}) }, now);
  if (next === null) return facts;
  const { hour, minute } = wallClockAt(next, zone);
  const clock = `${pad(hour)}:${pad(minute)}`;
  return [...facts, { label: "In your zone", value: `${clock}, ${describeZone(zone, next)}` }];
}

/** A schedule in its own zone: `daily, monday to friday, 19:00, Europe/Berlin, UTC+01:00`. `at` in epoch ms. */
export function scheduleWords({ scheduleType, timeOfDay, timeZoneId, parameters }: Schedule, at?: number): string {
  const zone = timeZoneId ? describeZoneId(timeZoneId, at) : undefined;
  return [scheduleType, dayWords(parameters?.days ?? []), timeOfDay?.slice(0, 5), zone].filter(Boolean).join(", ");
}

function dayWords(days: readonly string[]): string {
  if (days.length === weekdays.length) return "every day";
  const workdays = weekdays.slice(0, 5);
  if (days.length === 5 && workdays.every((day) => days.includes(day))) return "monday to friday";
  return days.join(" ");
}

function pad(number: number): string {
  return String(number).padStart(2, "0");
}
