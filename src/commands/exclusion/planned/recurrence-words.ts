import { z } from "zod";
import { formatDay } from "../../../time/format-moment.ts";
import { calendarDay, type Recurrence } from "../../../time/recurrence.ts";
import { weekdays } from "../../../time/wall-clock.ts";
import { dayWords } from "../../schedule-facts.ts";

const clock = z.string().regex(/^\d\d:\d\d$/);

export const recurrenceSchema: z.ZodType<Recurrence> = z.strictObject({
  days: z.array(z.enum(weekdays)).min(1),
  starts: clock,
  ends: clock,
  zone: z.string().min(1),
  lastDay: z.iso.date(),
  notOn: z.array(z.string().min(1)),
});

export const readRecurrenceValue = (value: unknown): Recurrence | undefined => recurrenceSchema.safeParse(value).data;

/** As a person of this zone would type it. */
export function recurrenceText({ days, starts, ends, zone, lastDay, notOn }: Recurrence, ownZone: string): string {
  const dayText = days.length === 7 ? "day" : days.map((day) => day.slice(0, 3)).join(", ");
  return [
    `${dayText} ${starts}-${ends}`,
    ...(zone === ownZone ? [] : [zone]),
    `until ${lastDay}`,
    ...(notOn.length > 0 ? [`not on ${notOn.join(" and ")}`] : []),
  ].join(" ");
}

const weekdayNames: Readonly<Record<string, string>> = { "Mon–Fri": "every weekday", "every day": "every day" };

/** "every Thu 18:00–22:00 until Thu 31 Dec 2026". */
export function recurrenceWords({ days, starts, ends, zone, lastDay, notOn }: Recurrence, ownZone: string): string {
  const shown = dayWords(days);
  const where = zone === ownZone ? "" : ` (${zone})`;
  const without = notOn.length > 0 ? `, not on ${notOn.join(" and ")}` : "";
  return `${weekdayNames[shown] ?? `every ${shown}`} ${starts}–${ends}${where} until ${formatDay(calendarDay(lastDay))}${without}`;
}
