import type { TimeWords } from "../time-words/phrases.ts";
import { phrases, skip } from "../time-words/phrases.ts";
import { readHour } from "../time-words/read-clock.ts";

/** From one time of day to another, each `HH:MM`. One that ends no later than it starts ends on the next day. */
export interface ClockRange {
  readonly starts: string;
  readonly ends: string;
}

export interface ClockRangeRead {
  readonly end: number;
  /** Or why it cannot be used, in a sentence. */
  readonly range: ClockRange | string;
}

const between = phrases("-|–|—|to|until|till|til|and");

/** `18:00-22:00`, `18:00 to 22:00`, `6pm until 10pm`, `18h to 22h`, `18 and 22 o'clock` */
export function readClockRange(words: TimeWords, at: number): ClockRangeRead | undefined {
  const one = readTimeOfDay(words, at);
  const join = one && skip(words, one.end, between);
  if (!one || join === undefined || join === one.end) return undefined;
  const other = readTimeOfDay(words, join);
  if (!other) return undefined;
  // `2h until 18:00` begins with a length.
  if ([one, other].some(({ isHours }) => isHours) && !(one.isHours && other.isHours)) return undefined;
  const { end } = other;
  const [starts, ends] = [timeOf(one, other), timeOf(other, one)];
  if (starts === undefined || ends === undefined)
    return { end, range: "Those times may be before or after noon. Write them like 18:00-22:00." };
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

const clockText = (hour: number, minute: number): string =>
  `${String(hour).padStart(2, "0")}:${String(minute).padStart(2, "0")}`;

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
