export interface TimeContext {
  readonly now: number;
  /** The requester's zone. */
  readonly zone: string;
  /** The zone of the team's day: the channel's, or the requester's. */
  readonly dayZone: string;
  /** Such as `08:00`. */
  readonly dayStarts: string;
  readonly dayEnds: string;
  /** Whether something is kept off: a day is then no more than that day, since nothing has to run when the next begins. */
  readonly isKeptOff?: boolean;
}

export interface TimeOption {
  readonly label: string;
  readonly at: number;
}

export type TimeReading =
  /**
   * `assumed` is said to the person: `the start of the day`, `tomorrow, since 09:00 has passed today`. `instead`: another moment that
   * the words can mean, which is less likely.
   */
  | { readonly kind: "moment"; readonly at: number; readonly assumed?: string; readonly instead?: number }
  | { readonly kind: "length"; readonly ms: number }
  | { readonly kind: "choice"; readonly reason: string; readonly options: readonly TimeOption[] }
  /** `reason` is in whole sentences. */
  | { readonly kind: "invalid"; readonly reason: string };

export const invalid = (reason: string): TimeReading => ({ kind: "invalid", reason });

export const isPast = "That is past. Give a moment still to come.";

export function notUnderstood(typed: readonly string[]): string {
  const text = typed.join(" ");
  const shown = text.length > mostShown ? `${text.slice(0, mostShown)}…` : text;
  return `I could not read "${shown}" as a moment. Write it like 18:00, 6pm, fri 18:00, tomorrow 9am or 2026-11-23 09:00.`;
}

const mostShown = 100;
