import type { Clock } from "../time-words/parts.ts";
import type { DayPart } from "../time-words/time-words.ts";

const dayMinutes = 1440;
const noon = 720;
/** The small hours that come next are always those of the coming night. */
export const nightEnds = 6 * 60;

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

/** What a time means. */
export interface MinutesMeant {
  /** Minutes of the day, more than 1440 in the night after. Several when they are as likely, none when the words contradict each other. */
  readonly minutes: readonly number[];
  /** What it could mean, too. */
  readonly instead?: number;
}

export function minutesMeant(clock: Clock, around: Around): MinutesMeant {
  const said = clock.hour * 60 + clock.minute;
  const meant = wholeMeant(clock, said, around);
  const [only, ...others] = meant.minutes;
  // “Half 8” is half an hour earlier for many.
  return clock.isHalf && only !== undefined && only >= 60 && others.length === 0
    ? { ...meant, instead: only - 60 }
    : meant;
}

function wholeMeant(clock: Clock, minutes: number, around: Around): MinutesMeant {
  const { dayPart, isToday, hasDay, now } = around;
  if (dayPart !== undefined) return { minutes: inPartOfDay(clock, dayPart, hasDay) };
  if (!clock.isOpen) return { minutes: [minutes] };
  const hasColon = clock.written === "with a colon";
  if (!hasDay) return nextTime(minutes, hasColon, now);
  // `today 3:00` is over in the afternoon, and hardly 15:00.
  if (isToday && hasColon && minutes <= now) return { minutes: [minutes] };
  const onIt = onDay(clock, minutes, around);
  const late = (minutes % noon) + noon;
  return { minutes: isToday && onIt.every((each) => each <= now) && late > now ? [late] : onIt };
}

/** The minutes of a time in a part of the day. */
export function inPartOfDay(
  { isOpen, isMidnight, ...clock }: Clock,
  part: DayPart,
  hasDay: boolean,
): readonly number[] {
  const minutes = clock.hour * 60 + clock.minute;
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

/**
 * Without a day, the next time that a clock shows it. The one half a day later is as likely when the next is in the small hours or is
 * less than half an hour away, and where `9:00` has passed, since that may be of the 24-hour clock.
 */
function nextTime(minutes: number, hasColon: boolean, now: number): MinutesMeant {
  if (hasColon && minutes > now) return { minutes: [minutes] };
  const early = minutes % noon;
  const isAhead = early > now || early + noon <= now;
  const [next, later] = isAhead ? [early, early + noon] : [early + noon, early];
  if (isSmall(later)) return { minutes: [next] };
  const away = (next - now + dayMinutes) % dayMinutes;
  if (isSmall(next) || away < 30 || (hasColon && next !== minutes)) return { minutes: [next, later] };
  return { minutes: [next], instead: later };
}

/** Between midnight and six hardly anything is meant to end. */
const isSmall = (minutes: number): boolean => minutes > 0 && minutes < nightEnds;
