import type { Clock } from "./parts.ts";
import { phraseAt, phrases, phrasesFor, skip, type TimeWords } from "./phrases.ts";
import { readNumberWord } from "./read-count.ts";
import { type ClockRead, clockOf, readDigits, readSuffix } from "./read-digits.ts";

/** Reads a time of day. `mayBeBare`: whether a plain number such as `6`, `six` or `1800` can be one here. */
export function readClock(words: TimeWords, at: number, mayBeBare: boolean): ClockRead | undefined {
  return readMinutesTo(words, at, mayBeBare) ?? readHour(words, at, mayBeBare);
}

/** The same without `half past` and `quarter to`. */
export function readHour(words: TimeWords, at: number, mayBeBare: boolean): ClockRead | undefined {
  return readNamed(words, at) ?? readDigits(words, at, mayBeBare) ?? readInWords(words, at, mayBeBare);
}

/** `noon`, `12 noon`, `midnight`. */
function readNamed(words: TimeWords, at: number): ClockRead | undefined {
  const named = phraseAt(words, at, names);
  const clock = named && clockOf(named.means, 0, 0, { is24: true });
  return clock && { end: named.end, parts: { clock: { ...clock, isMidnight: clock.hour === 0 }, isSure: true } };
}

const names = phrasesFor([
  ["noon|12 noon|twelve noon", 12],
  ["midnight|12 midnight|twelve midnight", 0],
]);

/** `half past 3`, `quarter to five pm`, `ten minutes past six`. */
function readMinutesTo(words: TimeWords, at: number, mayBeBare: boolean): ClockRead | undefined {
  const minutes = readMinutes(words, at);
  const direction = minutes && phraseAt(words, minutes.end, directions);
  // `7 to 9` are two times.
  if (minutes?.isPlain && direction?.means === -1 && !mayBeBare) return undefined;
  if (!direction) return words.texts[at] === "half" ? readHalf(words, at) : undefined;
  const { end, parts } = readHour(words, direction.end, true) ?? {};
  const isToo = parts?.clock?.minute !== 0 && !minutes.isNamed;
  if (end === undefined || !parts?.clock || isToo) return undefined;
  return { end, parts: { ...parts, clock: moved(parts.clock, direction.means * minutes.value), isSure: true } };
}

const directions = phrasesFor([
  ["past|after", 1],
  ["to|before", -1],
]);

interface Minutes {
  readonly end: number;
  readonly value: number;
  /** Whether the word minutes is there. Only then may minutes be added to others: `3 mins to five thirty`. */
  readonly isNamed: boolean;
  /** A number alone. */
  readonly isPlain: boolean;
}

function readMinutes(words: TimeWords, at: number): Minutes | undefined {
  const fraction = phraseAt(words, at, fractions);
  if (fraction) return { end: fraction.end, value: fraction.means, isNamed: false, isPlain: false };
  const text = words.texts[at] ?? "";
  const number = /^[0-5]?\d$/.test(text) ? { end: at + 1, value: Number(text) } : readNumberWord(words, at);
  if (!number || number.value > 59) return undefined;
  const end = skip(words, number.end, minuteNames);
  const isNamed = end > number.end;
  return { end, value: number.value, isNamed, isPlain: !isNamed };
}

const fractions = phrasesFor([
  ["half", 30],
  ["quarter|a quarter", 15],
  ["three quarters", 45],
]);
const minuteNames = phrases("minutes|minute|mins|min");

/** `half three` is 3:30 in English and 2:30 for many others. */
function readHalf(words: TimeWords, at: number): ClockRead | undefined {
  const { end, parts } = readHour(words, at + 1, true) ?? {};
  if (end === undefined || !parts?.clock?.isOpen || parts.clock.minute !== 0) return undefined;
  return { end, parts: { ...parts, clock: { ...parts.clock, minute: 30, isHalf: true }, isSure: true } };
}

/** An open hour stays on the 12-hour clock. */
function moved(clock: Clock, minutes: number): Clock {
  const round = clock.isOpen ? 720 : 1440;
  const total = (((clock.hour * 60 + clock.minute + minutes) % round) + round) % round;
  const hour = Math.floor(total / 60);
  return { ...clock, hour: clock.isOpen && hour === 0 ? 12 : hour, minute: total % 60, isMidnight: false };
}

/** `six`, `six pm`, `six thirty`, `six-thirty`, `eight o'clock`. */
function readInWords({ texts, typed }: TimeWords, at: number, mayBeBare: boolean): ClockRead | undefined {
  const [first = "", glued] = (texts[at] ?? "").split("-");
  const hour = readNumberWord({ texts: [first], typed }, 0)?.value;
  if (hour === undefined || hour > 12) return undefined;
  const minute = readNumberWord(
    glued === undefined ? { texts, typed } : { texts: [glued], typed },
    glued === undefined ? at + 1 : 0,
  );
  const hasMinute = minute !== undefined && minute.value >= 10 && minute.value < 60;
  if (glued !== undefined && !hasMinute) return undefined;
  const { end, suffix } = readSuffix({ texts, typed }, hasMinute && glued === undefined ? minute.end : at + 1);
  if ((suffix === undefined && !mayBeBare) || suffix === "h" || suffix === "hours") return undefined;
  const clock = clockOf(hour, hasMinute ? minute.value : 0, 0, { suffix });
  return clock && { end, parts: { clock, isSure: suffix !== undefined } };
}
