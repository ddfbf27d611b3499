import { phraseAt, phrases, phrasesFor, skip, type TimeWords } from "./phrases.ts";

export interface Count {
  readonly end: number;
  /** Undefined for `a few` and `2 to 3`, which nobody can count. */
  readonly value: number | undefined;
}

/** Reads a number in digits or words: `2`, `2.5`, `an`, `forty five`, `a couple of`, `one and a half`, `2 to 3`. */
export function readCount(words: TimeWords, at: number): Count | undefined {
  const phrase = phraseAt(words, at, amounts);
  if (phrase) return { end: phrase.end, value: phrase.means ?? undefined };
  const count = readNumber(words, at);
  const range = count && skip(words, count.end, rangeWords);
  const second = range === undefined || range === count?.end ? undefined : readNumber(words, range);
  return second ? { end: second.end, value: undefined } : count;
}

/** Null when nobody can count it. */
const amounts = phrasesFor<number | null>([
  ["a couple of|couple of|a couple|couple", 2],
  ["a few|few|several|some", null],
  ["a|an", 1],
]);
const rangeWords = phrases("to|or|-");

function readNumber(words: TimeWords, at: number): Count | undefined {
  const text = words.texts[at] ?? "";
  if (/^\d{1,3}[-–]\d{1,3}$/.test(text)) return { end: at + 1, value: undefined };
  const digits = inDigits(text);
  const whole = digits === undefined ? readNumberWord(words, at) : { end: at + 1, value: digits };
  const fraction = whole && phraseAt(words, whole.end, fractions);
  return fraction ? { end: fraction.end, value: whole.value + fraction.means } : whole;
}

const fractions = phrasesFor([
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
