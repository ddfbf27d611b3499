import { notUnderstood } from "../time-meaning/time-reading.ts";
import type { Clock, Parts, PartsRead } from "./parts.ts";
import { phraseAt, phrasesFor, type TimeWords } from "./phrases.ts";
import { readOffset } from "./read-zone.ts";

export interface ClockRead extends PartsRead {
  /** `18h` and `2 hours` may also be lengths. */
  readonly unit?: "h" | "hours";
}

const pattern = /^(\d{1,2})(?:([:.h]?)([0-5]\d)(?::([0-5]\d)(?:\.\d+)?)?)?(am|pm|a|p|h|hrs?|uhr)?$/;

/**
 * Reads a time in digits: `18:00`, `6pm`, `6.30 pm`, `18h`, `15h30`, `1800`, `6 o'clock`, `18:00Z`.
 * `mayBeBare`: whether a plain number such as `6` or `1800` can be a time here.
 */
export function readDigits(words: TimeWords, at: number, mayBeBare: boolean): ClockRead | undefined {
  const text = words.texts[at] ?? "";
  if (!/^\d/.test(text)) return undefined;
  const { time, offset } = splitOffset(text);
  const [matched, hour = "", mark, minute = "0", second = "0", glued] = pattern.exec(time) ?? [];
  const zone = offset === undefined ? undefined : readOffset(offset);
  if (matched === undefined || (offset !== undefined && !zone)) return undefined;
  const { end, suffix } = glued === undefined ? readSuffix(words, at + 1) : { end: at + 1, suffix: suffixOf(glued) };
  const hasMark = mark === ":" || mark === "h";
  if (!mayBeBare && !hasMark && suffix === undefined) return undefined;
  const isHours = suffix === "h" || suffix === "hours" || mark === "h";
  const is24 = hour.startsWith("0") || isHours || suffix === "uhr" || zone !== undefined || /^\d{4}$/.test(time);
  const clock = clockOf(Number(hour), Number(minute), Number(second), { suffix, is24 });
  const isSure = hasMark || (suffix !== undefined && suffix !== "h" && suffix !== "hours" && !/[ap]$/.test(time));
  // Figures that no clock shows are still meant as a time, unless they may be anything.
  if (!clock)
    return isSure ? { end, parts: { problem: notUnderstood(words.typed.slice(at, end)), isSure } } : undefined;
  const written = mark === ":" ? "with a colon" : mark === "" ? "without a mark" : "otherwise";
  const parts: Parts = { clock: { ...clock, written }, ...(zone ? { zones: [zone] } : {}), isSure };
  return isHours && mark !== ":" && mark !== ""
    ? { end, parts, unit: suffix === "hours" ? "hours" : "h" }
    : { end, parts };
}

/** `18:00Z`, `18:00+01:00` */
function splitOffset(text: string): { time: string; offset?: string } {
  const [, time, offset] = /^(\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?)(z|[+-]\d{1,2}(?::?\d{2})?)$/.exec(text) ?? [];
  return time === undefined || offset === undefined ? { time: text } : { time, offset };
}

type Suffix = "am" | "pm" | "o'clock" | "uhr" | "h" | "hours";

const suffixes = phrasesFor<Suffix>([
  ["am|a m|o'clock am|o clock am", "am"],
  ["pm|p m|o'clock pm|o clock pm", "pm"],
  ["o'clock|o clock", "o'clock"],
  ["uhr", "uhr"],
  ["h", "h"],
  ["hours|hrs|hr", "hours"],
]);

/** What follows the figures of a time as a word of its own. */
export function readSuffix(words: TimeWords, at: number): { end: number; suffix: Suffix | undefined } {
  const found = phraseAt(words, at, suffixes);
  return { end: found?.end ?? at, suffix: found?.means };
}

function suffixOf(glued: string): Suffix | undefined {
  if (glued === "a" || glued === "p") return glued === "a" ? "am" : "pm";
  return suffixes.get(glued)?.find(({ words }) => words.length === 1)?.means;
}

/** A time on the clock; undefined when no clock shows it. */
export function clockOf(
  hour: number,
  minute: number,
  second: number,
  { suffix, is24 = false }: { suffix?: Suffix | undefined; is24?: boolean } = {},
): Clock | undefined {
  const half = suffix === "am" || suffix === "pm" ? suffix : undefined;
  const clock = { minute, second, written: "otherwise", isOpen: false, isMidnight: false } as const;
  if (half === "pm" && hour > 12 && hour < 24) return { ...clock, hour };
  if (half !== undefined) {
    if (hour < 1 || hour > 12) return undefined;
    const of24 = (hour % 12) + (half === "pm" ? 12 : 0);
    return { ...clock, hour: of24, isMidnight: of24 + minute + second === 0 };
  }
  if (hour > 24 || (hour === 24 && minute + second > 0)) return undefined;
  return { ...clock, hour, isOpen: !is24 && hour >= 1 && hour <= 12 };
}
