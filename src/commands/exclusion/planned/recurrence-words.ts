import { z } from "zod";
import { formatDay } from "../../../time/format-moment.ts";
import { calendarDay, type Recurrence } from "../../../time/recurrence.ts";
import { weekdays } from "../../../time/wall-clock.ts";
import { dayWords } from "../../schedule-facts.ts";

const clock = z.string().regex(/^\d\d:\d\d$/);

export const recurrenceSchema = z.strictObject({
  days: z.array(z.enum(weekdays)).min(1),
  starts: clock,
  ends: clock,
  zone: z.string().min(1),
  firstDay: z.iso.date().optional(),
  lastDay: z.iso.date(),
  weeks: z.int().min(2).max(4).optional(),
  nth: z.int().min(-1).max(4).optional(),
  notOn: z.array(z.string().min(1)),
  later: z.strictObject({ starts: clock, ends: clock, firstDay: z.iso.date() }).optional(),
});

export const readRecurrenceValue = (value: unknown): Recurrence | undefined => recurrenceSchema.safeParse(value).data;

/** As a person of this zone would type it. */
export function recurrenceText(
  { days, starts, ends, zone, firstDay, lastDay, weeks, nth, notOn, later }: Recurrence,
  ownZone: string,
): string {
  const dayText = days.length === 7 ? "day" : days.map((day) => day.slice(0, 3)).join(", ");
  return [
    ...(weeks === undefined ? [] : [`${weeks} weeks`]),
    nth === undefined ? dayText : `${nthNames.get(nth)} ${dayText} of the month`,
    `${starts}-${ends}`,
    ...(zone === ownZone ? [] : [zone]),
    ...(firstDay === undefined ? [] : [`from ${firstDay}`]),
    `until ${lastDay}`,
    ...(notOn.length > 0 ? [`not on ${calendarsFirst(notOn).join(" and ")}`] : []),
    ...(later ? [`then ${later.starts}-${later.ends} from ${later.firstDay}`] : []),
  ].join(" ");
}

const calendarsFirst = (notOn: readonly string[]) =>
  notOn.toSorted((one, other) => Number(isDay(one)) - Number(isDay(other)));

const nthNames: ReadonlyMap<number, string> = new Map([
  [1, "first"],
  [2, "second"],
  [3, "third"],
  [4, "fourth"],
  [-1, "last"],
]);

const weekdayNames: Readonly<Record<string, string>> = { "Mon–Fri": "weekday", "every day": "day" };

/** "every Thu 18:00–22:00 until Thu 31 Dec 2026". */
export function recurrenceWords(
  { days, starts, ends, zone, firstDay, lastDay, weeks, nth, notOn, later }: Recurrence,
  ownZone: string,
): string {
  const shown = weekdayNames[dayWords(days)] ?? dayWords(days);
  const which =
    nth !== undefined ? `${nthNames.get(nth)} ${shown} of a month` : weeks ? `${weeks} weeks on ${shown}` : shown;
  const where = zone === ownZone ? "" : ` (${zone})`;
  const from = firstDay === undefined || weeks !== undefined ? "" : ` from ${dayText(firstDay)}`;
  const without = notOn.length > 0 ? `, not on ${notOn.map(offText).join(" and ")}` : "";
  const after = later ? `, from ${dayText(later.firstDay)} on ${later.starts}–${later.ends}` : "";
  return `every ${which} ${starts}–${ends}${where}${from} until ${dayText(lastDay)}${without}${after}`;
}

const dayText = (iso: string): string => formatDay(calendarDay(iso));
const offText = (name: string): string => (isDay(name) ? dayText(name) : name);

/** Whether what is left out is a day, and no calendar. */
export const isDay = (name: string): boolean => /^\d{4}-\d\d-\d\d$/.test(name);
