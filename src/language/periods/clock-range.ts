import { clockText } from "../../time/wall-clock.ts";
import { inPartOfDay, noon } from "../time-meaning/open-clock.ts";
import { readHour } from "../time-words/clocks.ts";
import type { PartsRead } from "../time-words/parts.ts";
import { type DayPart, once, skip, type TimeWords } from "../time-words/words.ts";

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

interface TimeOfDay {
  readonly end: number;
  readonly hour: number;
  readonly minute: number;
  /** `9h`, which may also be a length. */
  readonly isHours: boolean;
  /** An hour alone, from 0 to 12, which may be before or after noon. */
  readonly isOpen: boolean;
  readonly half: "a" | "p" | undefined;
}

/** `18:00-22:00`, `18:00 to 22:00`, `6pm until 10pm`, `18h to 22h`, `18 and 22 o'clock`. */
export const readClockRange = once((words, at): ClockRangeRead | undefined => {
  const [one, other] = timesAt(words, at) ?? [];
  if (!one || !other) return undefined;
  const { end } = other;
  const isOpen = one.isOpen && other.isOpen;
  if (isOpen && !one.half && !other.half && one.hour >= 7 && other.hour < one.hour) {
    const [starts, ends] = [textOf(one.hour, one.minute), textOf(other.hour + 12, other.minute)];
    return { end, range: { starts, ends, isAssumed: true } };
  }
  const range = rangeOf(timeOf(one, other), timeOf(other, one));
  return { end, range, ...(range === openTimes && isOpen ? { either: eitherOf(one, other) } : {}) };
});

/** The same in a part of the day: `7 to 9` in the evening. */
export function readClockRangeIn(part: DayPart, words: TimeWords, at: number): ClockRangeRead | undefined {
  const [one, other] = timesAt(words, at) ?? [];
  return one && other && { end: other.end, range: rangeOf(timeIn(part, one), timeIn(part, other)) };
}

const textOf = (hour: number, minute: number): string => clockText(hour * 60 + minute);
const openTimes = "Those times may be before or after noon. Write them like 18:00-22:00.";

function rangeOf(starts: string | undefined, ends: string | undefined): ClockRange | string {
  if (starts === undefined || ends === undefined) return openTimes;
  return starts === ends ? "It would end when it starts. Give two different times." : { starts, ends };
}

function timesAt(words: TimeWords, at: number): readonly [TimeOfDay, TimeOfDay] | undefined {
  const one = readTimeOfDay(words, at);
  const join = one && skip(words, one.end, "-|–|—|to|until|till|til|and");
  const other = join === one?.end ? undefined : readTimeOfDay(words, join ?? at);
  // `2h until 18:00` begins with a length.
  return one && other && one.isHours === other.isHours ? [one, other] : undefined;
}

function readTimeOfDay(words: TimeWords, at: number): TimeOfDay | undefined {
  const { end, parts, unit }: Partial<PartsRead> = readHour(words, at, true) ?? {};
  const { clock, zones } = parts ?? {};
  if (end === undefined || !clock || zones || unit === "hours") return undefined;
  const text = words.texts.slice(at, end).join("");
  const isAlone = /^\d{1,2}(?:o'clock)?$/.test(text) && clock.hour <= 12;
  const [, half] = /\d([ap])m?$/.exec(text) ?? [];
  return {
    ...{ end, hour: clock.hour, minute: clock.minute },
    isHours: unit === "h" && clock.hour <= 12,
    isOpen: isAlone || (!/^\d/.test(text) && clock.isOpen),
    half: half === "a" || half === "p" ? half : undefined,
  };
}

/** `HH:MM`; undefined for an hour that may be before or after noon. `6-10pm` says it once, and beside `22` an hour is as written. */
function timeOf({ hour, minute, isOpen, half }: TimeOfDay, other: TimeOfDay): string | undefined {
  if (half !== undefined || !isOpen) return textOf(hour, minute);
  if (other.half && hour <= (other.hour % 12 || 12)) return textOf((hour % 12) + (other.half === "p" ? 12 : 0), minute);
  return other.isOpen || other.half ? undefined : textOf(hour, minute);
}

function timeIn(part: DayPart, { isOpen, half, ...clock }: TimeOfDay): string | undefined {
  const [minutes] = inPartOfDay({ ...clock, isOpen: isOpen && half === undefined, isMidnight: false }, part, true);
  return minutes === undefined ? undefined : clockText(minutes);
}

/** `7-9` in the morning and in the evening. */
function eitherOf(one: TimeOfDay, other: TimeOfDay): readonly ClockRange[] {
  const [from = 0, to = 0] = [one, other].map(({ hour, minute }) => (hour % 12) * 60 + minute);
  const end = to > from ? to : to + noon;
  return [0, noon].map((half) => ({ starts: clockText(from + half), ends: clockText(end + half) }));
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
