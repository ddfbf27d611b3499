import type ICAL from "ical.js";
import { calendarDay, isoDay } from "../../time/recurrence.ts";
import { addDays, type CalendarDay } from "../../time/wall-clock.ts";

/** Gives the days with an all-day event between two days, both included and as `YYYY-MM-DD`. */
export type DaysOff = (first: string, last: string) => readonly string[];

/** A recurring event that goes on for longer is cut off. */
const mostRepeats = 5000;

/** Reads a calendar in iCal form. Throws for anything else. The library is loaded when it is first needed. */
export async function readCalendar(text: string): Promise<DaysOff> {
  const { default: ical } = await import("ical.js");
  const calendar = ical.Component.fromString(text);
  if (calendar.name !== "vcalendar") throw new Error("it is no calendar in iCal form");
  const events = calendar
    .getAllSubcomponents("vevent")
    .filter((each) => String(each.getFirstPropertyValue("status") ?? "").toUpperCase() !== "CANCELLED")
    .map((each) => new ical.Event(each))
    .filter((event) => event.startDate?.isDate && !event.isRecurrenceException());
  return (first, last) => [...new Set(events.flatMap((event) => daysOf(event, first, last)))].sort();
}

function daysOf(event: ICAL.Event, first: string, last: string): readonly string[] {
  if (!event.isRecurring()) return daysFrom(dayOf(event.startDate), dayOf(event.endDate), first, last);
  const found: string[] = [];
  const repeats = event.iterator();
  for (let count = 0; count < mostRepeats; count++) {
    const next: ICAL.Time | null = repeats.next();
    if (!next || dayOf(next) > last) break;
    const { startDate, endDate } = event.getOccurrenceDetails(next);
    found.push(...daysFrom(dayOf(startDate), dayOf(endDate), first, last));
  }
  return found;
}

const mostDays = 400;

/** The end is not included. An event without one takes its first day. */
function daysFrom(start: string, end: string, first: string, last: string): readonly string[] {
  const days: string[] = [];
  let day: CalendarDay = calendarDay(start);
  for (let count = 0; count < mostDays; count++) {
    const name = isoDay(day);
    if (name > last || (name >= end && count > 0)) break;
    if (name >= first) days.push(name);
    day = addDays(day, 1);
  }
  return days;
}

const dayOf = ({ year, month, day }: ICAL.Time): string => isoDay({ year, month, day });
