import type { Schedule } from "../../service/resources.ts";
import { nextDailyRun } from "../../time/schedule.ts";

/** The next run of a daily schedule, in its own time zone; null for other types, whose parameters API.md does not show. */
export function nextExecutionDate(schedule: Schedule, afterMs: number): string | null {
  const { scheduleType, startDate, timeOfDay, timeZoneId, parameters } = schedule;
  if (scheduleType !== "daily" || !timeOfDay || !timeZoneId) return null;
  const days = parameters?.days ?? [];
  const next = nextDailyRun({ days, timeOfDay, timeZoneId, ...(startDate && { startDate }) }, afterMs);
  return next === null ? null : new Date(next).toISOString();
}
