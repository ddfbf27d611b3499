import type { Weekday } from "../../time/wall-clock.ts";

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
}

export interface SeriesPartRead {
  readonly end: number;
  /** Or why it cannot be used, in sentences. */
  readonly parts: SeriesParts | string;
}
