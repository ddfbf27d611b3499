import { minutesOf } from "../../time/wall-clock.ts";
import type { Clock, Parts } from "../time-words/parts.ts";
import type { DayPart } from "../time-words/words.ts";
import type { TimeContext } from "./time-reading.ts";

export const dayMinutes = 1440;
export const noon = 720;
/** The small hours that come next are always those of the coming night. */
export const nightEnds = 6 * 60;

/** A time of the team's day that was not said. */
export interface TimeOfDay {
  /** Minutes after the day begins; 1440 is its end. */
  readonly minutes: number;
  /** Used when the first has passed. */
  readonly orMinutes?: number;
  readonly assumed: string;
}

/** When the team's day and its parts begin and end. A night lasts until the next day starts. */
export function teamDay({ dayStarts, dayEnds }: TimeContext) {
  const starts: TimeOfDay = { minutes: minutesOf(dayStarts), assumed: "the start of the day" };
  const ends: TimeOfDay = { minutes: minutesOf(dayEnds), assumed: "the end of the day" };
  const parts: Readonly<Record<DayPart, readonly [TimeOfDay, TimeOfDay]>> = {
    morning: [starts, { minutes: noon, assumed: "the end of the morning" }],
    afternoon: [{ minutes: noon, assumed: "the afternoon" }, ends],
    evening: [ends, { minutes: dayMinutes, assumed: "the end of the evening" }],
    night: [ends, { ...starts, minutes: dayMinutes + starts.minutes }],
  };
  return { starts, ends, parts };
}

/** What a time means. */
export interface MinutesMeant {
  /** Minutes of the day, more than 1440 in the night after. Several when they are as likely, none when the words contradict each other. */
  readonly minutes: readonly number[];
  /** What it could mean, too. */
  readonly instead?: number;
}

/** The minutes of the day that a clock means, before or after noon. `now`: minutes of today. */
export function minutesMeant(clock: Clock, parts: Parts, now: number, context: TimeContext): MinutesMeant {
  const meant = wholeMeant(clock, parts, now, context);
  const [only, ...others] = meant.minutes;
  // “Half 8” is half an hour earlier for many.
  const isHalf = clock.isHalf && only !== undefined && only >= 60 && others.length === 0;
  return isHalf ? { ...meant, instead: only - 60 } : meant;
}

function wholeMeant(clock: Clock, parts: Parts, now: number, context: TimeContext): MinutesMeant {
  const { dayPart, days, weekday } = parts;
  const minutes = clock.hour * 60 + clock.minute;
  const hasDay = (days ?? weekday) !== undefined;
  const isToday = days?.is === "today";
  if (dayPart !== undefined) return { minutes: inPartOfDay(clock, dayPart, hasDay) };
  // Midnight is where two days meet: that of a named day is open, tonight's is the next.
  if (clock.isMidnight) return { minutes: !hasDay || isToday ? [dayMinutes] : [0, dayMinutes] };
  if (!clock.isOpen) return { minutes: [minutes] };
  const hasColon = clock.written === "with a colon";
  if (!hasDay) return nextTime(minutes, hasColon, now);
  // `today 3:00` is over in the afternoon, and hardly 15:00.
  if (isToday && hasColon && minutes <= now) return { minutes: [minutes] };
  const onIt = onDay(minutes, hasColon, context);
  const late = (minutes % noon) + noon;
  return { minutes: isToday && onIt.every((each) => each <= now) && late > now ? [late] : onIt };
}

/** The minutes of a time in a part of the day. */
export function inPartOfDay(
  { isOpen, isMidnight, hour, minute }: Pick<Clock, "hour" | "minute" | "isOpen" | "isMidnight">,
  part: DayPart,
  hasDay: boolean,
): readonly number[] {
  const minutes = hour * 60 + minute;
  const morning = isOpen ? minutes % noon : minutes;
  const evening = isOpen ? (minutes % noon) + noon : minutes;
  if (part === "morning") return morning < noon ? [morning] : [];
  if (part === "afternoon") return evening >= noon ? [evening] : [];
  const isTwelve = isMidnight || (isOpen && minutes >= noon);
  if (isTwelve) return [dayMinutes + (minutes % noon)];
  const isSmall = minutes < (isOpen ? 5 : 6) * 60;
  if (part === "night" && isSmall) return [hasDay ? dayMinutes + minutes : minutes];
  return evening >= 15 * 60 ? [evening] : [];
}

/** On a day that was said, the one in the team's day. With a colon only the one as written. */
function onDay(minutes: number, hasColon: boolean, { dayStarts, dayEnds }: TimeContext): readonly number[] {
  const [early, late] = [minutes % noon, (minutes % noon) + noon];
  if (minutes >= noon) return [late];
  if (early >= minutesOf(dayStarts)) return [early];
  return !hasColon && late < minutesOf(dayEnds) ? [late] : [early, late];
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
  // Between midnight and six hardly anything is meant to end.
  const isSmall = (each: number) => each > 0 && each < nightEnds;
  if (isSmall(later)) return { minutes: [next] };
  const away = (next - now + dayMinutes) % dayMinutes;
  if (isSmall(next) || away < 30 || (hasColon && next !== minutes)) return { minutes: [next, later] };
  return { minutes: [next], instead: later };
}
