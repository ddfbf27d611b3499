import { distance } from "fastest-levenshtein";
import type { TimeWords } from "./phrases.ts";

export type DayPart = "morning" | "afternoon" | "evening" | "night";

/** Names of days; the number is the index in `weekdays`. */
export const weekdayNames = indexed(
  "sunday sun|monday mon|tuesday tues tue|wednesday weds wed|thursday thurs thur thu|friday fri|saturday sat",
  0,
);

export const monthNames = indexed(
  "january jan|february feb|march mar|april apr|may|june jun|july jul|august aug|september sept sep|october oct|november nov|december dec",
  1,
);

export const dayPartNames: ReadonlyMap<string, DayPart> = new Map([
  ["morning", "morning"],
  ["afternoon", "afternoon"],
  ["evening", "evening"],
  ["night", "night"],
  ["nite", "night"],
]);

/** No word of a time is longer. */
const longestWord = 40;

export function timeWords(words: readonly string[]): TimeWords {
  return { texts: words.map(plainWord), typed: words };
}

/** The same words without slips of the finger, or undefined when there are none. */
export function withoutSlips({ texts, typed }: TimeWords): TimeWords | undefined {
  const corrected = texts.map(withoutSlip);
  return corrected.some((text, index) => text !== texts[index]) ? { texts: corrected, typed } : undefined;
}

/** A word as the grammar compares it. */
export function plainWord(word: string): string {
  if (word.length > longestWord) return "";
  const lower = (/^[\w:-]+$/.test(word) ? word : unified(word)).toLowerCase().replace(/^\+(?=\d+[a-z])/, "");
  return otherSpellings.get(lower) ?? (lower.endsWith("ish") ? lower.replace(/^(\d[\d:apm]*)-?ish$/, "$1") : lower);
}

function unified(word: string): string {
  const text = word
    .replace(/[½¼¾]/g, (sign) => fractions.get(sign) ?? sign)
    .normalize("NFKC")
    .replace(/[‘’`´′]/g, "'")
    .replace(/^(\d+)'$/, "$1min")
    .replace(/([ap])\.(m)\b/gi, "$1$2")
    .replace(/^[(,'"~]+|[),;!?'"]+$/g, "");
  // The last dot of 25.11. belongs to the date, that of a sentence does not.
  return /^\d{1,2}\.\d{1,2}\.$/.test(text) ? text : text.replace(/\.+$/, "");
}

const fractions = new Map([
  ["½", ".5"],
  ["¼", ".25"],
  ["¾", ".75"],
]);

/** What phones and hurry make of words. No other word is meant by these. */
const otherSpellings = new Map(
  [
    "tomorrow tmrw tmr tmrrw tmw tommorow tommorrow tomorow tomorrrow tommorw tomrrow tomoro tomorro tmoro tmrow tomoz 2moro 2morrow 2mrw",
    "tonight tonite 2nite 2night tonigth",
    "wednesday wendesday wednsday wedensday",
    "today 2day",
    "o'clock oclock",
    "noon midday mid-day",
    "weekend week-end wknd wkend",
    "week wk",
    "eod e.o.d",
    "until untill unitl utill untl unti unil utnil",
  ].flatMap((line) => {
    const [meant = "", ...spellings] = line.split(" ");
    return spellings.map((spelling) => [spelling, meant] as const);
  }),
);

/** Words long enough that one wrong letter leaves them recognisable. Short ones such as `may` could become anything. */
const correctable = [
  ...[...weekdayNames.keys(), ...monthNames.keys(), ...dayPartNames.keys()].filter((word) => word.length > 4),
  ..."today tomorrow tonight midnight weekend hours minute minutes month months weeks fortnight quarter".split(" "),
];

/** The word that was meant by one with a wrong, missing or doubled letter or two letters swapped; itself if that is open. */
function withoutSlip(word: string): string {
  if (word.length < 5 || word.length > 10 || !/^[a-z]+$/.test(word) || correctable.includes(word)) return word;
  const [near, ...others] = correctable.filter((known) => known[0] === word[0] && isOneSlip(word, known));
  return near !== undefined && others.length === 0 ? near : word;
}

function isOneSlip(typed: string, known: string): boolean {
  if (Math.abs(typed.length - known.length) > 1) return false;
  const differences = distance(typed, known);
  return differences < 2 || (differences === 2 && sorted(typed) === sorted(known));
}

const sorted = (word: string): string => [...word].sort().join("");

function indexed(lines: string, first: number): ReadonlyMap<string, number> {
  return new Map(lines.split("|").flatMap((names, index) => names.split(" ").map((name) => [name, index + first])));
}
