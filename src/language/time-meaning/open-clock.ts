import type { Clock } from "../time-words/parts.ts";
import type { DayPart } from "../time-words/time-words.ts";

const dayMinutes = 1440;
const noon = 720;

/** What decides between before and after noon. */
export interface Around {
  readonly dayPart?: DayPart | undefined;
  /** Whether a day was said; today is one. */
  readonly hasDay: boolean;
  readonly isToday: boolean;
  /** Minutes of the day: now, and when the team's day starts and ends. */
  readonly now: number;
  readonly starts: number;
  readonly ends: number;
}

/**
 * The minutes of the day that a time means, more than 1440 in the night after. Several when noon is not settled, none when the words
 * contradict each other.
 */
export function minutesMeant(clock: Clock, around: Around): readonly number[] {
  const minutes = clock.hour * 60 + clock.minute;
  const { dayPart } = around;
  if (dayPart !== undefined) return inPartOfDay(clock, minutes, dayPart, around.hasDay);
  if (!clock.isOpen) return [minutes];
  // `today 3:00` is over in the afternoon, and hardly 15:00.
  if (around.isToday && clock.written === "with a colon" && minutes <= around.now) return [minutes];
  return around.hasDay ? onDay(clock, minutes, around) : nextTime(clock, minutes, around);
}

function inPartOfDay(
  { isOpen, isMidnight }: Clock,
  minutes: number,
  part: DayPart,
  hasDay: boolean,
): readonly number[] {
  const morning = isOpen ? minutes % noon : minutes;
  const evening = isOpen ? (minutes % noon) + noon : minutes;
  switch (part) {
    case "morning":
      return morning < noon ? [morning] : [];
    case "afternoon":
      return evening >= noon ? [evening] : [];
    case "evening":
    case "night": {
      const isTwelve = isMidnight || (isOpen && minutes >= noon);
      if (isTwelve) return [dayMinutes + (minutes % noon)];
      const small = isOpen ? minutes < 5 * 60 : minutes < 6 * 60;
      if (part === "night" && small) return [hasDay ? dayMinutes + minutes : minutes];
      return evening >= 15 * 60 ? [evening] : [];
    }
    default:
      return part satisfies never;
  }
}

/** On a day that was said, the one in the team's day. With a colon only the one as written. */
function onDay({ written }: Clock, minutes: number, { starts, ends }: Around): readonly number[] {
  const both = [minutes % noon, (minutes % noon) + noon] as const;
  const [early, late] = both;
  if (minutes >= noon) return [late];
  if (early >= starts) return [early];
  return written !== "with a colon" && late < ends ? [late] : both;
}

/** Without a day, the next time that a clock shows it, unless the other one is as likely. `3:00` may be of the 24-hour clock. */
function nextTime({ written }: Clock, minutes: number, { now, starts, ends }: Around): readonly number[] {
  const early = minutes % noon;
  const late = early + noon;
  if ((written === "with a colon" || minutes >= noon) && minutes > now) return [minutes];
  if (early > now) return [early, late];
  if (late > now) return early < starts && written !== "with a colon" ? [late] : [early, late];
  return early >= starts && late > ends ? [early] : [early, late];
}
