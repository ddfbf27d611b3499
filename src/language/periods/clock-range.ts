import { inPartOfDay } from "../time-meaning/open-clock.ts";
import { clockText as textOf } from "../time-meaning/team-day.ts";
import { phrases, skip, type TimeWords } from "../time-words/phrases.ts";
import { readHour } from "../time-words/read-clock.ts";
import type { DayPart } from "../time-words/time-words.ts";

const clockText = (hour: number, minute: number): string => textOf(hour * 60 + minute);

/** From one time of day to another, each `HH:MM`. One that ends no later than it starts ends on the next day. */
export interface ClockRange {
  readonly starts: string;
  readonly ends: string;
  /** `9-5` was read as from morning to afternoon. */
  readonly isAssumed?: true;
}

export interface ClockRangeRead {
  readonly end: number;
  /** Or why it cannot be used, in a sentence. */
  readonly range: ClockRange | string;
  /** The two ranges that it can be, before and after noon. */
  readonly either?: readonly ClockRange[];
}

const between = phrases("-|–|—|to|until|till|til|and");

/** `18:00-22:00`, `18:00 to 22:00`, `6pm until 10pm`, `18h to 22h`, `18 and 22 o'clock`; in a part of the day, `7 to 9`. */
export function readClockRange(words: TimeWords, at: number, part?: DayPart): ClockRangeRead | undefined {
  const one = readTimeOfDay(words, at);
  const join = one && skip(words, one.end, between);
  if (!one || join === undefined || join === one.end) return undefined;
  const other = readTimeOfDay(words, join);
  if (!other) return undefined;
  // `2h until 18:00` begins with a length.
  if ([one, other].some(({ isHours }) => isHours) && !(one.isHours && other.isHours)) return undefined;
  const { end } = other;
  if (!part && one.isOpen && other.isOpen && !one.half && !other.half && one.hour >= 7 && other.hour < one.hour) {
    const ends = clockText(other.hour + 12, other.minute);
    return { end, range: { starts: clockText(one.hour, one.minute), ends, isAssumed: true } };
  }
  const [starts, ends] = part ? [timeIn(part, one), timeIn(part, other)] : [timeOf(one, other), timeOf(other, one)];
  if (starts === undefined || ends === undefined)
    return {
      ...{ end, range: "Those times may be before or after noon. Write them like 18:00-22:00." },
      ...(one.isOpen && other.isOpen && !part ? { either: eitherOf(one, other) } : {}),
    };
  if (starts === ends) return { end, range: "It would end when it starts. Give two different times." };
  return { end, range: { starts, ends } };
}

interface TimeOfDay {
  readonly end: number;
  readonly hour: number;
  readonly minute: number;
  /** `9h`, which may also be a length. */
  readonly isHours: boolean;
  /** An hour alone, from 0 to 12, which may be before or after noon. */
  readonly isOpen: boolean;
  readonly half: "am" | "pm" | undefined;
}

function readTimeOfDay(words: TimeWords, at: number): TimeOfDay | undefined {
  const read = readHour(words, at, true);
  const clock = read?.parts.clock;
  if (!read || !clock || read.parts.zones || read.unit === "hours") return undefined;
  const text = words.texts.slice(at, read.end).join("");
  const half = /\d(?:am?|pm?)$/.exec(text)?.[0].slice(1, 2);
  const isOpen = /^\d{1,2}(?:o'clock)?$/.test(text) && clock.hour <= 12;
  const isNamed = !/^\d/.test(text);
  return {
    ...{ end: read.end, hour: clock.hour, minute: clock.minute },
    isHours: read.unit === "h" && clock.hour <= 12,
    isOpen: isOpen || (isNamed && clock.isOpen),
    half: half === "a" ? "am" : half === "p" ? "pm" : undefined,
  };
}

/** `HH:MM`; undefined for an hour that may be before or after noon. `6-10pm` says it once, and beside `22` an hour is as written. */
function timeOf({ hour, minute, isOpen, half }: TimeOfDay, other: TimeOfDay): string | undefined {
  if (half !== undefined || !isOpen) return clockText(hour % 24, minute);
  if (other.half && hour <= (other.hour % 12 || 12))
    return clockText((hour % 12) + (other.half === "pm" ? 12 : 0), minute);
  return other.isOpen || other.half ? undefined : clockText(hour, minute);
}

/** `7` in the evening is 19:00. */
function timeIn(part: DayPart, { hour, minute, isOpen, half }: TimeOfDay): string | undefined {
  const clock = { ...{ hour, minute, second: 0 }, isOpen: isOpen && half === undefined, isMidnight: false } as const;
  const [minutes] = inPartOfDay({ ...clock, written: "otherwise" }, part, true);
  return minutes === undefined ? undefined : clockText(0, minutes);
}

/** `7-9` in the morning and in the evening. */
function eitherOf(one: TimeOfDay, other: TimeOfDay): readonly ClockRange[] {
  const from = (one.hour % 12) * 60 + one.minute;
  const to = (other.hour % 12) * 60 + other.minute;
  return [0, 720].map((half) => ({
    starts: textOf(from + half),
    ends: textOf((to > from ? to : to + 720) + half),
  }));
}

const range = /^((?:\d[\d:.]*(?:am|pm|h\d{0,2})?)?)([-–—−])((?:\d[\d:.]*(?:am|pm|h\d{0,2})?)?)([,.]?)$/i;

/** `18:00-22:00` as several words, and for each word where it was. */
export function separated(typed: readonly string[]): {
  readonly words: readonly string[];
  readonly from: readonly number[];
} {
  const pieces = typed.flatMap((word, from) => {
    const [matched, one = "", , other = ""] = range.exec(word) ?? [];
    if (matched === undefined || /^\d{4}$/.test(one)) return [{ word, from }];
    return [one, "-", other].filter(Boolean).map((piece) => ({ word: piece, from }));
  });
  return { words: pieces.map(({ word }) => word), from: pieces.map(({ from }) => from) };
}
