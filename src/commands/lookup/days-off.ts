import { formatDay } from "../../time/format-moment.ts";
import type { Interval } from "../../time/intervals.ts";
import { calendarDay, isoDay } from "../../time/recurrence.ts";
import { addDays, wallClockAt } from "../../time/wall-clock.ts";
import { startOfDay } from "../../time/week.ts";
import { type CommandContext, defineQuery } from "../command.ts";
import { dayOf } from "../exclusion/kept-until.ts";
import { type Span, span, text } from "../field.ts";

/** A day with an all-day event in a calendar. */
interface DayOff {
  readonly calendar: string;
  /** `YYYY-MM-DD` */
  readonly day: string;
  /** Empty where the event has none. */
  readonly name: string;
}

type Context = Pick<CommandContext, "calendars" | "now" | "actor" | "channelId" | "settings">;

/** The days off in some spans. */
export async function daysOffIn(spans: readonly Interval[], context: Context): Promise<readonly DayOff[]> {
  const { calendars } = context;
  const zone = dayOf(context).dayZone;
  const read = (calendars?.names() ?? []).flatMap((calendar) =>
    spans.map(async ({ from, to }) => {
      const lastDay = isoDay(wallClockAt(to - 1, zone));
      const found = await calendars?.daysOff(calendar, { from, lastDay, zone });
      if (!found || "problem" in found) return [];
      return found.days.map((day) => ({ calendar, day, name: found.names[day] ?? "" }));
    }),
  );
  return (await Promise.all(read)).flat();
}

/** "Thu 3 Dec 2026, Founders' Day" */
export const dayOffWords = ({ day, name }: Pick<DayOff, "day" | "name">): string =>
  [formatDay(calendarDay(day)), name].filter(Boolean).join(", ");

/** A calendar is known for so long. */
const aheadMs = 365 * 24 * 3_600_000;
const mostWords = 5;

interface Asked {
  readonly said: string | undefined;
  readonly when: Span | undefined;
}

/** Takes the name of a day off from what was asked about: "staging on founders' day". */
export async function withDayOff(asked: Asked, context: Context): Promise<Asked> {
  const words = asked.said?.split(/\s+/).filter(Boolean) ?? [];
  if (asked.when || words.length === 0) return asked;
  const off = await daysOffIn([{ from: context.now, to: context.now + aheadMs }], context);
  for (let length = Math.min(mostWords, words.length); length > 0; length--)
    for (let at = 0; at + length <= words.length; at++) {
      const said = words.slice(at, at + length).join(" ");
      const named = off.find(({ name }) => name !== "" && plain(name) === plain(said));
      if (!named) continue;
      const rest = [...words.slice(0, at), ...words.slice(at + length)].join(" ").replace(/ ?\bon$/i, "");
      return { said: rest || undefined, when: { said, spans: [wholeDay(named.day, dayOf(context).dayZone)] } };
    }
  return asked;
}

const plain = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "");

function wholeDay(day: string, zone: string): Interval {
  const first = calendarDay(day);
  return { from: startOfDay(first, zone), to: startOfDay(addDays(first, 1), zone) };
}

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
    const ahead = await daysOffIn([{ from: context.now, to: context.now + aheadMs }], context);
    const off = when ? await daysOffIn(when.spans, context) : ahead;
    const days = inOrder(off);
    const [first] = inOrder(ahead);
    const next = `Next day off: ${first ? dayOffWords(first) : "none within a year"}`;
    return {
      title: !when ? next : days.length > 0 ? titleOf(days, when.said) : `No day off: ${when.said}. ${next}`,
      note: `By ${names.join(", ")}. Schedules run all the same; a series leaves them out with “not on” and the calendar's name.`,
      items: days.length < 2 ? [] : [{ title: "Days off", facts: [], steps: days.slice(0, shownDays).map(stepOf) }],
    };
  },
});

const inOrder = (days: readonly DayOff[]): readonly DayOff[] =>
  [...new Map(days.map((each) => [each.day, each])).values()].sort((one, other) => (one.day < other.day ? -1 : 1));

const stepOf = (day: DayOff) => ({ label: "", value: dayOffWords(day) });

function titleOf([first, ...others]: readonly DayOff[], said: string): string {
  return first && others.length === 0 ? `Day off: ${dayOffWords(first)}` : `${others.length + 1} days off: ${said}`;
}
