import { defineQuery } from "../command.ts";
import { span, text } from "../field.ts";
import { type DayOff, dayOffWords, daysOffIn, withDayOff } from "./days-off.ts";

const aheadMs = 365 * 24 * 3_600_000;
const shownDays = 12;

export const holidays = defineQuery({
  words: "holidays",
  title: "Holidays",
  summary: "Show the days off ahead, of the calendars that Curfew knows",
  operation: null,
  fields: {
    which: text({ label: "Day off", hint: "Its name", maxLength: 100, positional: "rest", optional: true }),
    when: span({ label: "When", hint: "A day or a time; a year without it", optional: true }),
  },
  answer: async ({ which, when: given }, context) => {
    const names = context.calendars?.names() ?? [];
    if (names.length === 0)
      return { problem: "Curfew knows no calendars. Nothing was changed. Ask the people who run Curfew to add one." };
    const { said, when } = await withDayOff({ said: which, when: given }, context);
    if (said !== undefined) return { field: "which", problem: `Curfew knows no day off called “${said}”.` };
    const off = await daysOffIn(when?.spans ?? [{ from: context.now, to: context.now + aheadMs }], context);
    const days = [...new Map(off.map((each) => [each.day, each])).values()].sort((one, other) =>
      one.day < other.day ? -1 : 1,
    );
    return {
      title: when ? titleOf(days, when.said) : `Next day off: ${days[0] ? dayOffWords(days[0]) : "none within a year"}`,
      note: `By ${names.join(", ")}. Schedules run all the same; a series leaves them out with “not on” and the calendar's name.`,
      items: days.length < 2 ? [] : [{ title: "Days off", facts: [], steps: days.slice(0, shownDays).map(stepOf) }],
    };
  },
});

const stepOf = (day: DayOff) => ({ label: "", value: dayOffWords(day) });

function titleOf([first, ...others]: readonly DayOff[], said: string): string {
  if (!first) return `No day off: ${said}`;
  return others.length === 0 ? `Day off: ${dayOffWords(first)}` : `${others.length + 1} days off: ${said}`;
}
