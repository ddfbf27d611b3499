import { notUnderstood } from "../time-meaning/time-reading.ts";
import { readMinuteNumber, readNumberWord } from "./lengths.ts";
import type { Clock, Parts, PartsRead } from "./parts.ts";
import { once, phraseAt, phrasesFor, skip, type TimeWords } from "./words.ts";
import { readOffset } from "./zones.ts";

/** Reads a time of day. `mayBeBare`: whether a plain number such as `6`, `six` or `1800` can be one here. */
export const readClock = once(
  (words, at, mayBeBare: boolean): PartsRead | undefined =>
    readMinutesTo(words, at, mayBeBare) ?? readHour(words, at, mayBeBare),
);

/** The same without `half past` and `quarter to`. */
export const readHour = once(
  (words, at, mayBeBare: boolean): PartsRead | undefined =>
    readNamed(words, at) ?? readDigits(words, at, mayBeBare) ?? readInWords(words, at, mayBeBare),
);

const names = phrasesFor([
  ["noon|12 noon|twelve noon", 12],
  ["midnight|12 midnight|twelve midnight", 0],
]);

function readNamed(words: TimeWords, at: number): PartsRead | undefined {
  const named = phraseAt(words, at, names);
  const clock = named && clockOf(named.means, 0, 0, { is24: true });
  return clock && { end: named.end, parts: { clock: { ...clock, isMidnight: clock.hour === 0 }, isSure: true } };
}

const directions = phrasesFor([
  ["past|after", 1],
  ["to|before", -1],
]);
const fractions = phrasesFor([
  ["half", 30],
  ["quarter|a quarter", 15],
  ["three quarters", 45],
]);

/** `half past 3`, `quarter to five pm`, `ten minutes past six`. */
function readMinutesTo(words: TimeWords, at: number, mayBeBare: boolean): PartsRead | undefined {
  const fraction = phraseAt(words, at, fractions);
  const number = fraction ?? readMinuteNumber(words, at);
  const end = number && (fraction ? fraction.end : skip(words, number.end, "minutes|minute|mins|min"));
  const isNamed = !fraction && end !== undefined && end > (number?.end ?? 0);
  const direction = end === undefined ? undefined : phraseAt(words, end, directions);
  // `7 to 9` are two times.
  if (!fraction && !isNamed && direction?.means === -1 && !mayBeBare) return undefined;
  if (!direction || !number) return words.texts[at] === "half" ? readHalf(words, at) : undefined;
  const hour = readHour(words, direction.end, true);
  const { clock } = hour?.parts ?? {};
  // Only with their name, minutes may be added to others: `3 mins to five thirty`.
  if (!hour || !clock || (clock.minute !== 0 && !isNamed)) return undefined;
  const minutes = direction.means * (fraction ? fraction.means : "value" in number ? number.value : 0);
  return { end: hour.end, parts: { ...hour.parts, clock: moved(clock, minutes), isSure: true } };
}

/** `half three` is 3:30 in English and 2:30 for many others. */
function readHalf(words: TimeWords, at: number): PartsRead | undefined {
  const { end, parts } = readHour(words, at + 1, true) ?? {};
  if (end === undefined || !parts?.clock?.isOpen || parts.clock.minute !== 0) return undefined;
  return { end, parts: { ...parts, clock: { ...parts.clock, minute: 30, isHalf: true }, isSure: true } };
}

/** An open hour stays on the 12-hour clock. */
function moved(clock: Clock, minutes: number): Clock {
  const round = clock.isOpen ? 720 : 1440;
  const total = (clock.hour * 60 + clock.minute + minutes + round) % round;
  const hour = Math.floor(total / 60);
  return { ...clock, hour: clock.isOpen && hour === 0 ? 12 : hour, minute: total % 60, isMidnight: false };
}

/** `six`, `six pm`, `six thirty`, `six-thirty`, `eight o'clock`. */
function readInWords(words: TimeWords, at: number, mayBeBare: boolean): PartsRead | undefined {
  const [first = "", glued] = (words.texts[at] ?? "").split("-");
  const word = (text: string) => readNumberWord({ texts: [text], typed: [] }, 0);
  const hour = word(first)?.value;
  if (hour === undefined || hour > 12) return undefined;
  const said = glued === undefined ? readNumberWord(words, at + 1) : word(glued);
  const minute = said && said.value >= 10 && said.value < 60 ? said : undefined;
  if (glued !== undefined && !minute) return undefined;
  const { end, suffix } = readSuffix(words, minute && glued === undefined ? minute.end : at + 1);
  if ((suffix === undefined && !mayBeBare) || suffix === "h" || suffix === "hours") return undefined;
  const clock = clockOf(hour, minute?.value ?? 0, 0, { suffix });
  return clock && { end, parts: { clock, isSure: suffix !== undefined } };
}

const figures = /^(\d{1,2})(?:([:.h]?)([0-5]\d)(?::([0-5]\d)(?:\.\d+)?)?)?(am|pm|a|p|h|hrs?|uhr)?$/;
const withOffset = /^(\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?)(z|[+-]\d{1,2}(?::?\d{2})?)$/;

/** `18:00`, `6pm`, `6.30 pm`, `18h`, `15h30`, `1800`, `6 o'clock`, `18:00Z`. */
function readDigits(words: TimeWords, at: number, mayBeBare: boolean): PartsRead | undefined {
  const text = words.texts[at] ?? "";
  if (!/^\d/.test(text)) return undefined;
  const [, time = text, offset] = withOffset.exec(text) ?? [];
  const [matched, hour = "", mark, minute = "0", second = "0", glued] = figures.exec(time) ?? [];
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
  const hasUnit = isHours && mark !== ":" && mark !== "";
  return { end, parts, ...(hasUnit ? { unit: suffix === "hours" ? "hours" : "h" } : {}) };
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
function readSuffix(words: TimeWords, at: number): { end: number; suffix: Suffix | undefined } {
  const found = phraseAt(words, at, suffixes);
  return { end: found?.end ?? at, suffix: found?.means };
}

function suffixOf(glued: string): Suffix | undefined {
  if (glued === "a" || glued === "p") return glued === "a" ? "am" : "pm";
  return readSuffix({ texts: [glued], typed: [] }, 0).suffix;
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
