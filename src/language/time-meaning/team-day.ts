import { formatTime } from "../../time/format-moment.ts";
import type { Parts } from "../time-words/parts.ts";
import type { DayPart } from "../time-words/time-words.ts";

/** How the keyword in front uses a time: `until` means when it begins, `for` that it is included. */
export type Use = "until" | "for" | "through" | "bare";

export interface TimeOfDay {
  /** Minutes after the day begins; 1440 is its end. */
  readonly minutes: number;
  /** Used when the first has passed. */
  readonly orMinutes?: number;
  readonly assumed: string;
}

export interface TeamDay {
  readonly dayStarts: string;
  readonly dayEnds: string;
  /** Whether the day is today's. Its end is midnight when the team's day is over. */
  readonly isToday: boolean;
  /** Whether it is before six in the morning now. */
  readonly isSmallHours: boolean;
}

export function minutesOf(time: string): number {
  const [hour = "0", minute = "0"] = time.split(":");
  return Number(hour) * 60 + Number(minute);
}

/** `18:00` for minutes of a day, or of the night after. */
export function clockText(minutes: number): string {
  return formatTime({ hour: Math.floor(minutes / 60) % 24, minute: minutes % 60 });
}

const dayMinutes = 1440;
const noon = 720;

/** The times of day that are meant where none was said. Several when that is open. */
export function untimed(
  { days, weekday, shift, dayPart, edge }: Parts,
  use: Use,
  { dayStarts, dayEnds, isToday, isSmallHours }: TeamDay,
): readonly TimeOfDay[] {
  const starts = { minutes: minutesOf(dayStarts), assumed: "the start of the day" };
  const ends = { minutes: minutesOf(dayEnds), assumed: "the end of the day" };
  const saysToday = days === undefined ? weekday === undefined : days.is === "today" && shift === undefined;
  const endsToday = isToday ? { ...ends, orMinutes: dayMinutes } : ends;
  const after = { minutes: dayMinutes, assumed: "the end of that day" };
  if (dayPart !== undefined)
    return partOfDay(dayPart, use, { starts, ends: endsToday, saysToday, isSmallHours: isSmallHours && isToday });
  // The last run may come after the team's day.
  if (days !== undefined && saysToday && edge === undefined && use === "bare") return [endsToday, after];
  if (edge === "end" || (saysToday && edge === undefined)) return [endsToday];
  if (use === "until" || edge === "start" || days?.assumed !== undefined) return [starts];
  return use === "through" ? [endsToday] : [starts, after];
}

interface Edges {
  readonly starts: TimeOfDay;
  readonly ends: TimeOfDay;
  readonly saysToday: boolean;
  readonly isSmallHours: boolean;
}

/**
 * Tonight is from the end of the team's day to the start of its next one: `from tonight` and `until tonight` are its start; `tonight`
 * and the choice *Tonight* (`keptUntil`) last to its end. In the small hours it may be the night that is ending.
 */
function partOfDay(part: DayPart, use: Use, { starts, ends, saysToday, isSmallHours }: Edges): readonly TimeOfDay[] {
  const isIncluded = use !== "until";
  switch (part) {
    case "morning":
      return isIncluded && (saysToday || use !== "bare")
        ? [{ minutes: noon, assumed: "the end of the morning" }]
        : [starts];
    case "afternoon":
      if (isIncluded) return [ends];
      return [noon, noon + 180].map((minutes) => ({ minutes, assumed: "the afternoon" }));
    case "evening":
      return isIncluded ? [{ minutes: dayMinutes, assumed: "the end of the evening" }] : [ends];
    case "night":
      if (!isIncluded) return [ends];
      return [...(isSmallHours ? [starts] : []), { ...starts, minutes: dayMinutes + starts.minutes }];
    default:
      return part satisfies never;
  }
}
