import type { CalendarDay, DayOfWeek } from "../../time/wall-clock.ts";
import type { DayPart } from "./words.ts";

/** A time of day as it was said. */
export interface Clock {
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  /** Whether it may be before or after noon: `6`, `6:30`, `half past six`. */
  readonly isOpen: boolean;
  /** Figures with a colon are mostly of the 24-hour clock; those without any mark may be a year. */
  readonly written: "with a colon" | "without a mark" | "otherwise";
  /** Where two days meet. */
  readonly isMidnight: boolean;
  /** `half eight`: half past it, or half an hour before. */
  readonly isHalf?: boolean;
}

/** The days that words mean, today being known. */
export interface Days {
  /** Several when the words leave it open, none when the calendar has no such day. */
  readonly of: (today: DayOfWeek) => readonly CalendarDay[];
  readonly is: "day" | "today" | "period";
  /** Each period that the words may mean, where they name one. A week ends on Friday for the team. */
  readonly spans?: (today: DayOfWeek) => readonly DaySpan[];
  /** What is said of the day when it is not the one that was named. */
  readonly assumed?: string;
}

export interface DaySpan {
  readonly first: CalendarDay;
  readonly last: CalendarDay;
}

export interface SaidZone {
  readonly name: string;
  /** An IANA zone, and how far the clock meant is ahead of it. Only an offset such as UTC+2 has a distance: to UTC. */
  readonly zone: string;
  readonly aheadMs: number;
}

/** What the words of a moment say, in any order, before today's date is known. */
export interface Parts {
  readonly days?: Days;
  /** `index` is that in `weekdays`. */
  readonly weekday?: { readonly index: number; readonly which: "coming" | "this" | "next" };
  /** Days to add: `a week from monday`, `the day after tomorrow`. */
  readonly shift?: number;
  readonly clock?: Clock;
  readonly dayPart?: DayPart;
  readonly edge?: "start" | "end";
  /** Several for an abbreviation that several zones use. */
  readonly zones?: readonly SaidZone[];
  /** Why it cannot be used, in a whole sentence. */
  readonly problem?: string;
  /** Whether these words can be nothing but a time, even without `until` in front. */
  readonly isSure: boolean;
}

export interface PartsRead {
  readonly end: number;
  readonly parts: Parts;
  /** `18h` and `2 hours` may also be lengths. */
  readonly unit?: "h" | "hours";
}

export const sure = (parts: Omit<Parts, "isSure">): Parts => ({ ...parts, isSure: true });

/** Both, or undefined when they say the same kind of thing twice. Of two problems the first counts. */
export function merged(one: Parts, other: Parts): Parts | undefined {
  for (const key of Object.keys(other)) if (key !== "isSure" && key !== "problem" && key in one) return undefined;
  return { ...other, ...one, isSure: one.isSure || other.isSure };
}

/** Whether it is a day and nothing more precise. */
export const isDay = ({ days, weekday, clock, edge, problem }: Parts): boolean =>
  (days ?? weekday) !== undefined && !clock && !edge && problem === undefined;

/** A day of the week that comes next, and nothing else. */
export const isComingWeekday = ({ weekday, days, shift }: Parts): boolean =>
  weekday?.which === "coming" && !days && shift === undefined;
