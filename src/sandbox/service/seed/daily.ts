import { weekdays } from "../../../service/resources.ts";

export const workdays = weekdays.slice(0, 5);
export const everyDay = [...weekdays];

/** A daily schedule (API.md, "Schedule"), on workdays by default. */
export function daily(time: string, timeZoneId: string, days: readonly string[] = workdays) {
  return { scheduleType: "daily", timeOfDay: `${time}:00`, timeZoneId, parameters: { days: [...days] } };
}
