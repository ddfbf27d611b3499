import { weekdays } from "../../../service/resources.ts";

interface Audited {
  createdDate: string;
  lastModifiedDate: string;
  lastModifiedBy: string;
}

/** The audit fields of a seed, from the days it was created and last changed. */
export function audited(lastModifiedBy: string, created: string, modified = created): Audited {
  return { createdDate: `${created}T09:12:00Z`, lastModifiedDate: `${modified}T14:40:00Z`, lastModifiedBy };
}

export const workdays = weekdays.slice(0, 5);
export const everyDay = [...weekdays];

/** A daily schedule (API.md, "Schedule"), on workdays by default. */
export function daily(time: string, timeZoneId: string, days: readonly string[] = workdays) {
  return { scheduleType: "daily", timeOfDay: `${time}:00`, timeZoneId, parameters: { days: [...days] } };
}
