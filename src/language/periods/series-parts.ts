import type { Weekday } from "../../time/wall-clock.ts";
import type { DayPart } from "../time-words/time-words.ts";

/** What the words of a series say. */
export interface SeriesParts {
  readonly days?: readonly Weekday[];
  readonly starts?: string;
  readonly ends?: string;
  readonly zone?: string;
  readonly firstDay?: string;
  readonly lastDay?: string;
  /** A length from the first day on, in ms. */
  readonly forMs?: number;
  /** So many days of the calendar, from the next one on. */
  readonly count?: number;
  readonly weeks?: number;
  readonly nth?: number;
  readonly notOn?: readonly string[];
  readonly later?: { readonly starts: string; readonly ends: string; readonly firstDay: string };
  /** Days of the week that are left out. */
  readonly without?: readonly Weekday[];
  /** The part of the day in which its times end. */
  readonly part?: DayPart;
  /** The dates on which days of the week come next that were said once: “thursday and friday”. */
  readonly coming?: readonly string[] | string;
  /** It was said by its dates. */
  readonly isDated?: true;
  /** Days of the week are those that come next: “once thursday and friday”. */
  readonly isOnce?: true;
  /** A word says that it comes again. */
  readonly isAgain?: true;
}

export interface SeriesPartRead {
  readonly end: number;
  /** Or why it cannot be used, in sentences. */
  readonly parts: SeriesParts | string;
}
