import { type DurationReading, parseDuration } from "../../time/duration.ts";
import { phraseAt, phrases, phrasesFor, skip, type TimeWords } from "./phrases.ts";
import { readCount, readNumberWord } from "./read-count.ts";

/** A length of time. `months` are counted on the calendar, since they differ. */
export interface Length {
  readonly end: number;
  readonly reading: DurationReading;
  readonly months: number;
}

/** Reads a length: `2h30m`, `2 hours`, `an hour and a half`, `three quarters of an hour`, `90 min`, `1 hr 30`. */
export function readLength(words: TimeWords, start: number): Length | undefined {
  const items: Item[] = [];
  let end = start;
  for (;;) {
    const at = items.length > 0 ? skip(words, end, joins) : end;
    const item = readItem(words, at) ?? bareMinutes(words, at, items.at(-1));
    if (!item) break;
    items.push(item);
    end = item.end;
  }
  return items.length === 0 ? undefined : { end, ...total(items) };
}

const joins = phrases("and|&|plus|,");

interface Item {
  readonly end: number;
  /** Undefined when nobody can count it. */
  readonly value: number | undefined;
  readonly unit: Unit;
}

type Unit = "s" | "m" | "h" | "d" | "w" | "month";

function total(items: readonly Item[]): Omit<Length, "end"> {
  const months = items.reduce((sum, { value = 0, unit }) => sum + (unit === "month" ? value : 0), 0);
  const rest = items.filter(({ unit }) => unit !== "month").map(({ value, unit }) => `${value}${unit}`);
  if (items.some(({ value }) => value === undefined)) return { reading: notCounted, months: 0 };
  if (!Number.isInteger(months)) return { reading: partOfMonth, months: 0 };
  if (months > mostMonths) return { reading: parseDuration("367d"), months: 0 };
  if (months === 0 || rest.length > 0) return { months, reading: parseDuration(rest.join(" ") || "0s") };
  return { months, reading: { kind: "duration", ms: 0 } };
}

const mostMonths = 12;
const invalid = (reason: string): DurationReading => ({ kind: "invalid", reason });
const notCounted = invalid("That does not say how long exactly. Write a number, such as “for 3 hours”.");
const partOfMonth = invalid("Months differ in length. Write it in weeks or days.");

function readItem(words: TimeWords, at: number): Item | undefined {
  return readCompact(words, at) ?? readFraction(words, at) ?? readCounted(words, at);
}

/** One word: `2h30m`, `90min`, `1h30`, `half-hour`, `2-hour`, `1/2h`. */
function readCompact({ texts }: TimeWords, at: number): Item | undefined {
  const text = texts[at] ?? "";
  if (!/^(?:\d|\.\d|half-)/.test(text)) return undefined;
  const [, count = "", name = ""] = /^(half|\d{0,9}(?:[.,]\d{1,3})?|1\/2|3\/4)-?([a-z]+)$/.exec(text) ?? [];
  const unit = units.get(name);
  const value = compactCounts.get(count) ?? Number(count.replace(",", "."));
  if (unit) return { end: at + 1, value: value * unit.size, unit: unit.unit };
  const several = text.replace(/^(\d{1,2}h)([0-5]\d)$/, "$1$2m");
  const reading = /^(?:\d{1,4}[a-z]{1,7}){2,5}$/.test(several) ? parseDuration(several) : undefined;
  return reading?.kind === "duration" ? { end: at + 1, value: reading.ms / 1000, unit: "s" } : undefined;
}

const compactCounts = new Map([
  ["half", 0.5],
  ["1/2", 0.5],
  ["3/4", 0.75],
]);

/** `half an hour`, `a quarter of an hour`, `three quarters of an hour`. */
function readFraction(words: TimeWords, at: number): Item | undefined {
  const fraction = phraseAt(words, at, fractions);
  const unitAt = fraction && skip(words, fraction.end, articles);
  const unit = unitAt === undefined ? undefined : units.get(words.texts[unitAt] ?? "");
  return fraction && unit && unitAt !== undefined
    ? { end: unitAt + 1, value: fraction.means * unit.size, unit: unit.unit }
    : undefined;
}

const fractions = phrasesFor([
  ["a half|half", 0.5],
  ["three quarters|3 quarters|three quarter", 0.75],
  ["a quarter|quarter", 0.25],
]);
const articles = phrases("of an|of a|an|a");

/** `2 hours`, `an hour and a half`, `2 more days`. */
function readCounted(words: TimeWords, at: number): Item | undefined {
  const count = readCount(words, at) ?? impliedCount(words, at);
  const unitAt = count && skip(words, count.end, extras);
  const unit = unitAt === undefined ? undefined : units.get(words.texts[unitAt] ?? "");
  if (!count || !unit || unitAt === undefined) return undefined;
  const half = skip(words, unitAt + 1, andHalf);
  const orTwo = skip(words, unitAt + 1, orSome);
  if (count.value === undefined || orTwo > unitAt + 1) return { end: orTwo, value: undefined, unit: unit.unit };
  return { end: half, value: (count.value + (half > unitAt + 1 ? 0.5 : 0)) * unit.size, unit: unit.unit };
}

const extras = phrases("more|full|whole|extra|further|additional");
const andHalf = phrases("and a half|and half");
const orSome = phrases("or two|or three|or more");

/** `another hour`, `the next hour`, `an extra hour`; in `for months` nobody can count them. */
function impliedCount({ texts }: TimeWords, at: number) {
  const before = texts[at - 1] ?? "";
  if (/^(?:another|next|extra|additional|further)$/.test(before)) return { end: at, value: 1 };
  return before === "for" && (texts[at] ?? "").endsWith("s") ? { end: at, value: undefined } : undefined;
}

/** The minutes of `1 hour 30`, which are said without their name. */
function bareMinutes(words: TimeWords, at: number, before: Item | undefined): Item | undefined {
  if (before?.unit !== "h") return undefined;
  const text = words.texts[at] ?? "";
  const { end, value } = /^[0-5]?\d$/.test(text)
    ? { end: at + 1, value: Number(text) }
    : (readNumberWord(words, at) ?? {});
  return end !== undefined && value !== undefined && value < 60 ? { end, value, unit: "m" } : undefined;
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
