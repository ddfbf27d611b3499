import ICAL from "ical.js";
import { groupBy } from "../../time/group-by.ts";
import { calendarDay, isoDay } from "../../time/recurrence.ts";
import { addDays, type CalendarDay } from "../../time/wall-clock.ts";

interface Span {
  readonly first: string;
  readonly last: string;
}

/** Their names, by day as `YYYY-MM-DD`. */
export type DaysOff = Readonly<Record<string, string>>;

const longestName = 100;

/**
 * The days with an all-day event between two days, both included, in order. Throws for what is no calendar in iCal form. A
 * calendar can make it run for ever and fill the memory, so it runs in a process of its own (calendar-process.ts).
 */
export function daysOffIn(text: string, span: Span): DaysOff {
  const calendar = ICAL.Component.fromString(text);
  if (calendar.name !== "vcalendar") throw new Error("it is no calendar");
  const events = calendar.getAllSubcomponents("vevent");
  const exceptions = groupBy(events.filter(isException), uidOf);
  // An exception counts by itself too, since it may be moved here from after the last day.
  const whole = events.filter((each) => !isException(each) && !isCancelled(each));
  const uids = new Set(whole.map(uidOf));
  const moved = events.filter((each) => isException(each) && !isCancelled(each) && uids.has(uidOf(each)));
  const days = [...whole, ...moved]
    .map(
      (each) => new ICAL.Event(each, { exceptions: isException(each) ? [] : [...(exceptions.get(uidOf(each)) ?? [])] }),
    )
    .filter((event) => event.startDate?.isDate)
    .flatMap((event) => {
      const name = (event.summary ?? "").slice(0, longestName);
      return daysOf(event, span).map((day) => [day, name] as const);
    });
  return Object.fromEntries(days.sort(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0)));
}

const uidOf = (event: ICAL.Component): string => String(event.getFirstPropertyValue("uid"));
const isException = (event: ICAL.Component): boolean => event.hasProperty("recurrence-id");
const isCancelled = (event: ICAL.Component): boolean =>
  String(event.getFirstPropertyValue("status") ?? "").toUpperCase() === "CANCELLED";

function daysOf(event: ICAL.Event, span: Span): readonly string[] {
  if (event.isRecurrenceException() || !event.isRecurring()) return daysFrom(event.startDate, event.endDate, span);
  const found: string[] = [];
  const repeats = event.iterator();
  for (;;) {
    const next: ICAL.Time | null = repeats.next();
    if (!next || dayOf(next) > span.last) return found;
    const { startDate, endDate, item } = event.getOccurrenceDetails(next);
    if (!isCancelled(item.component)) found.push(...daysFrom(startDate, endDate, span));
  }
}

/** The end is not included. An event without one takes its first day. */
function daysFrom(startsAt: ICAL.Time, endsAt: ICAL.Time, { first, last }: Span): readonly string[] {
  const [start, end] = [dayOf(startsAt), dayOf(endsAt)];
  const days: string[] = [];
  let day: CalendarDay = calendarDay(start < first ? first : start);
  for (let name = isoDay(day); name <= last && (name < end || name === start); name = isoDay(day)) {
    days.push(name);
    day = addDays(day, 1);
  }
  return days;
}

const dayOf = ({ year, month, day }: ICAL.Time): string => isoDay({ year, month, day });
