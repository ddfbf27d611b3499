import { type DurationReading, parseDuration } from "../../time/duration.ts";
import { once, phraseAt, phrasesFor, skip, type TimeWords } from "./words.ts";

export interface Count {
  readonly end: number;
  /** Undefined for `a few` and `2 to 3`, which nobody can count. */
  readonly value: number | undefined;
}

/** Reads a number in digits or words: `2`, `2.5`, `an`, `forty five`, `a couple of`, `one and a half`, `2 to 3`. */
export function readCount(words: TimeWords, at: number): Count | undefined {
  const amount = phraseAt(words, at, amounts);
  if (amount) return { end: amount.end, value: amount.means ?? undefined };
  const count = readNumber(words, at);
  const range = count && skip(words, count.end, "to|or|-");
  const second = range === count?.end ? undefined : readNumber(words, range ?? at);
  return second ? { end: second.end, value: undefined } : count;
}

/** Null when nobody can count it. */
const amounts = phrasesFor<number | null>([
  ["a couple of|couple of|a couple|couple", 2],
  ["a few|few|several|some", null],
  ["a|an", 1],
]);

function readNumber(words: TimeWords, at: number): Count | undefined {
  const text = words.texts[at] ?? "";
  if (/^\d{1,3}[-–]\d{1,3}$/.test(text)) return { end: at + 1, value: undefined };
  const digits = inDigits(text);
  const whole = digits === undefined ? readNumberWord(words, at) : { end: at + 1, value: digits };
  const part = whole && phraseAt(words, whole.end, parts);
  return part ? { end: part.end, value: whole.value + part.means } : whole;
}

const parts = phrasesFor([
  ["1/2|and a half|and half", 0.5],
  ["1/4|and a quarter", 0.25],
  ["3/4|and three quarters|and three quarter", 0.75],
]);

function inDigits(text: string): number | undefined {
  const [, over, under] = /^([1-9])\/([2-9])$/.exec(text) ?? [];
  if (over !== undefined) return Number(over) / Number(under);
  return /^(?:\d{1,9}(?:[.,]\d{1,3})?|[.,]\d{1,3})$/.test(text) ? Number(text.replace(",", ".")) : undefined;
}

/** A whole number in words, up to ninety-nine. */
export function readNumberWord({ texts }: TimeWords, at: number): { end: number; value: number } | undefined {
  const text = texts[at] ?? "";
  const isGlued = text.includes("-");
  const [first = "", second] = isGlued ? text.split("-") : [text, texts[at + 1]];
  const value = numberWords.get(first);
  if (value === undefined) return undefined;
  const unit = value >= 20 ? numberWords.get(second ?? "") : undefined;
  if (unit !== undefined && unit < 10) return { end: at + (isGlued ? 1 : 2), value: value + unit };
  return isGlued ? undefined : { end: at + 1, value };
}

const ones =
  "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen";
const tens = "twenty thirty forty fifty sixty seventy eighty ninety";
const numberWords = new Map([
  ...ones.split(" ").map((word, index) => [word, index + 1] as const),
  ...tens.split(" ").map((word, index) => [word, (index + 2) * 10] as const),
]);

/** A length of time. `months` are counted on the calendar, since they differ. */
export interface Length {
  readonly end: number;
  readonly reading: DurationReading;
  readonly months: number;
}

/** Reads a length: `2h30m`, `2 hours`, `an hour and a half`, `three quarters of an hour`, `90 min`, `1 hr 30`. */
export const readLength = once((words, start): Length | undefined => {
  const items: Item[] = [];
  let end = start;
  for (;;) {
    const at = items.length > 0 ? skip(words, end, "and|&|plus|,") : end;
    const item =
      readCompact(words, at) ??
      readFraction(words, at) ??
      readCounted(words, at) ??
      bareMinutes(words, at, items.at(-1));
    if (!item) return items.length === 0 ? undefined : { end, ...total(items) };
    items.push(item);
    end = item.end;
  }
});

/** The length in ms, where it is a number of them. */
export function readMs(words: TimeWords, at: number): { readonly end: number; readonly ms: number } | undefined {
  const { end = 0, reading, months } = readLength(words, at) ?? {};
  return reading?.kind === "duration" && months === 0 ? { end, ms: reading.ms } : undefined;
}

type Unit = "s" | "m" | "h" | "d" | "w" | "month";

interface Item extends Count {
  readonly unit: Unit;
}

function total(items: readonly Item[]): Omit<Length, "end"> {
  const months = items.reduce((sum, { value = 0, unit }) => sum + (unit === "month" ? value : 0), 0);
  const rest = items.filter(({ unit }) => unit !== "month").map(({ value, unit }) => `${value}${unit}`);
  if (items.some(({ value }) => value === undefined)) return { reading: notCounted, months: 0 };
  if (!Number.isInteger(months)) return { reading: partOfMonth, months: 0 };
  if (months > 12) return { reading: parseDuration("367d"), months: 0 };
  if (months === 0 || rest.length > 0) return { months, reading: parseDuration(rest.join(" ") || "0s") };
  return { months, reading: { kind: "duration", ms: 0 } };
}

const invalid = (reason: string): DurationReading => ({ kind: "invalid", reason });
const notCounted = invalid("That does not say how long exactly. Write a number, such as “for 3 hours”.");
const partOfMonth = invalid("Months differ in length. Write it in weeks or days.");

/** One word: `2h30m`, `90min`, `1h30`, `half-hour`, `2-hour`, `1/2h`. */
function readCompact({ texts }: TimeWords, at: number): Item | undefined {
  const text = texts[at] ?? "";
  if (!/^(?:\d|\.\d|half-)/.test(text)) return undefined;
  const [, count = "", name = ""] = /^(half|\d{0,9}(?:[.,]\d{1,3})?|1\/2|3\/4)-?([a-z]+)$/.exec(text) ?? [];
  const value = { half: 0.5, "1/2": 0.5, "3/4": 0.75 }[count] ?? Number(count.replace(",", "."));
  const item = inUnit(name, value, at + 1);
  if (item) return item;
  const several = text.replace(/^(\d{1,2}h)([0-5]\d)$/, "$1$2m");
  const reading = /^(?:\d{1,4}[a-z]{1,7}){2,5}$/.test(several) ? parseDuration(several) : undefined;
  return reading?.kind === "duration" ? { end: at + 1, value: reading.ms / 1000, unit: "s" } : undefined;
}

/** `half an hour`, `a quarter of an hour`, `three quarters of an hour`. */
function readFraction(words: TimeWords, at: number): Item | undefined {
  const fraction = phraseAt(words, at, fractions);
  const unitAt = skip(words, fraction?.end ?? at, "of an|of a|an|a");
  return fraction && inUnit(words.texts[unitAt], fraction.means, unitAt + 1);
}

const fractions = phrasesFor([
  ["a half|half", 0.5],
  ["three quarters|3 quarters|three quarter", 0.75],
  ["a quarter|quarter", 0.25],
]);

/** `2 hours`, `an hour and a half`, `2 more days`. */
function readCounted(words: TimeWords, at: number): Item | undefined {
  const count = readCount(words, at) ?? impliedCount(words, at);
  if (!count) return undefined;
  const unitAt = skip(words, count.end, "more|full|whole|extra|further|additional");
  const half = skip(words, unitAt + 1, "and a half|and half");
  const orTwo = skip(words, unitAt + 1, "or two|or three|or more");
  if (count.value === undefined || orTwo > unitAt + 1) return inUnit(words.texts[unitAt], undefined, orTwo);
  return inUnit(words.texts[unitAt], count.value + (half > unitAt + 1 ? 0.5 : 0), half);
}

/** `another hour`, `the next hour`, `an extra hour`; in `for months` nobody can count them. */
function impliedCount({ texts }: TimeWords, at: number): Count | undefined {
  const before = texts[at - 1] ?? "";
  if (/^(?:another|next|extra|additional|further)$/.test(before)) return { end: at, value: 1 };
  return before === "for" && (texts[at] ?? "").endsWith("s") ? { end: at, value: undefined } : undefined;
}

/** The minutes of `1 hour 30`, which are said without their name. */
function bareMinutes(words: TimeWords, at: number, before: Item | undefined): Item | undefined {
  if (before?.unit !== "h") return undefined;
  const number = readMinuteNumber(words, at);
  return number && { ...number, unit: "m" };
}

/** `30`, `thirty`: up to 59. */
export function readMinuteNumber(words: TimeWords, at: number): { end: number; value: number } | undefined {
  const text = words.texts[at] ?? "";
  const number = /^[0-5]?\d$/.test(text) ? { end: at + 1, value: Number(text) } : readNumberWord(words, at);
  return number && number.value < 60 ? number : undefined;
}

function inUnit(name = "", count: number | undefined, end: number): Item | undefined {
  const { unit, size } = units.get(name) ?? {};
  return unit && size ? { end, value: count === undefined ? undefined : count * size, unit } : undefined;
}

const units = new Map<string, { readonly unit: Unit; readonly size: number }>(
  (
    [
      ["s sec secs second seconds", "s", 1],
      ["m min mins minute minutes mn", "m", 1],
      ["h hr hrs hour hours", "h", 1],
      ["d day days", "d", 1],
      ["w wk wks week weeks", "w", 1],
      ["fortnight fortnights", "w", 2],
      ["mo mos mth mths month months", "month", 1],
      ["y yr yrs year years", "month", 12],
    ] as const
  ).flatMap(([names, unit, size]) => names.split(" ").map((name) => [name, { unit, size }] as const)),
);
