import { formatDay } from "../../time/format-moment.ts";
import { calendarDay, isoDay } from "../../time/recurrence.ts";
import { addDays, wallClockAt } from "../../time/wall-clock.ts";
import type { Item } from "../answer.ts";
import { defineQuery, type QueryContext } from "../command.ts";

const aheadDays = 365;
const shownDays = 12;

export const holidays = defineQuery({
  words: "holidays",
  title: "Holidays",
  summary: "Show the days off ahead, of the calendars that Curfew knows",
  operation: null,
  fields: {},
  answer: async (_input, context) => {
    const names = context.calendars?.names() ?? [];
    if (names.length === 0)
      return { problem: "Curfew knows no calendars. Nothing was changed. Ask the people who run Curfew to add one." };
    return {
      title: "Days off ahead",
      note: "A series leaves them out with “not on” and the calendar's name.",
      items: await Promise.all(names.map((name) => daysOf(name, context))),
    };
  },
});

async function daysOf(name: string, { calendars, now, actor }: QueryContext): Promise<Item> {
  const lastDay = isoDay(addDays(wallClockAt(now, actor.timeZone), aheadDays));
  const found = await calendars?.daysOff(name, { from: now, lastDay, zone: actor.timeZone });
  if (!found || "problem" in found)
    return { title: name, facts: [{ label: "", value: found?.problem ?? "not known" }] };
  const days = found.days.slice(0, shownDays).map((day) => formatDay(calendarDay(day)));
  return { title: name, facts: [{ label: "", value: days.join(", ") || "None within a year." }] };
}
