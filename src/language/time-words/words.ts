import { distance } from "fastest-levenshtein";
import type { TimeContext } from "../time-meaning/time-reading.ts";

/** Words as the grammar compares them, beside what was typed. */
export interface TimeWords {
  /** In lower case, without punctuation around. */
  readonly texts: readonly string[];
  readonly typed: readonly string[];
}

/** The same with the moment and the place in which they were said. */
export interface SaidWords extends TimeWords {
  readonly context: TimeContext;
}

export type DayPart = "morning" | "afternoon" | "evening" | "night";

/** Phrases and what they mean, by their first word; the longest first. */
export type Phrases<T> = ReadonlyMap<string, readonly { readonly words: readonly string[]; readonly means: T }[]>;

/** Each line has phrases with one meaning, separated by `|`. */
export function phrasesFor<T>(meanings: readonly (readonly [string, T])[]): Phrases<T> {
  const all = meanings.flatMap(([line, means]) => {
    const known = line.split("|").filter((phrase) => phrase !== "");
    return known.map((phrase) => ({ words: phrase.split(" "), means }));
  });
  const byFirst = new Map<string, typeof all>();
  for (const phrase of all.sort((one, other) => other.words.length - one.words.length)) {
    const [first = ""] = phrase.words;
    byFirst.set(first, [...(byFirst.get(first) ?? []), phrase]);
  }
  return byFirst;
}

/** The phrase that stands here. */
export function phraseAt<T>(
  { texts }: TimeWords,
  at: number,
  known: Phrases<T>,
): { end: number; means: T } | undefined {
  const found = known
    .get(texts[at] ?? "")
    ?.find(({ words }) => words.every((word, index) => texts[at + index] === word));
  return found && { end: at + found.words.length, means: found.means };
}

const compiled = new Map<string, Phrases<true>>();

/** Where the next word is, past one of these phrases (`to|up to`) if it stands here. */
export function skip(words: TimeWords, at: number, phrases: string): number {
  const known = compiled.get(phrases) ?? phrasesFor([[phrases, true]]);
  compiled.set(phrases, known);
  return phraseAt(words, at, known)?.end ?? at;
}

/** Where the words go on past these phrases, one after the other. One with an empty form (`its|the|`) may be missing. */
export function past(words: TimeWords, at: number, ...phrases: readonly string[]): number | undefined {
  let end = at;
  for (const phrase of phrases) {
    const next = skip(words, end, phrase);
    if (next === end && !phrase.endsWith("|")) return undefined;
    end = next;
  }
  return end;
}

/** A reader that reads the same words at the same place once: most are tried there in many ways. */
export function once<R, Flags extends readonly (boolean | undefined)[]>(
  read: (words: TimeWords, at: number, ...flags: Flags) => R,
): (words: TimeWords, at: number, ...flags: Flags) => R {
  let last: TimeWords | undefined;
  const known = new Map<number, { readonly read: R }>();
  return (words, at, ...flags) => {
    if (words !== last) known.clear();
    last = words;
    const key = flags.reduce((sum, flag, index) => sum + (flag ? 1 << index : 0), at * 8);
    const found = known.get(key);
    if (found) return found.read;
    const made = { read: read(words, at, ...flags) };
    if (words === last) known.set(key, made);
    return made.read;
  };
}

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

function indexed(lines: string, first: number): ReadonlyMap<string, number> {
  return new Map(lines.split("|").flatMap((names, index) => names.split(" ").map((name) => [name, index + first])));
}

export const timeWords = (words: readonly string[]): TimeWords => ({ texts: words.map(plainWord), typed: words });
export const saidWords = (words: readonly string[], context: TimeContext): SaidWords => ({
  ...timeWords(words),
  context,
});

/** No word of a time is longer. */
const longestWord = 40;

/** A word as the grammar compares it. */
function plainWord(word: string): string {
  if (word.length > longestWord) return "";
  const lower = (/^[\w:-]+$/.test(word) ? word : unified(word)).toLowerCase().replace(/^\+(?=\d+[a-z])/, "");
  return otherSpellings.get(lower) ?? (lower.endsWith("ish") ? lower.replace(/^(\d[\d:apm]*)-?ish$/, "$1") : lower);
}

function unified(word: string): string {
  const text = word
    .replaceAll("½", ".5")
    .replaceAll("¼", ".25")
    .replaceAll("¾", ".75")
    .normalize("NFKC")
    .replace(/[‘’`´′]/g, "'")
    .replace(/^(\d+)'$/, "$1min")
    .replace(/([ap])\.(m)\b/gi, "$1$2")
    .replace(/^[(,'"~]+|[),;!?'"]+$/g, "");
  // The last dot of 25.11. belongs to the date, that of a sentence does not.
  return /^\d{1,2}\.\d{1,2}\.$/.test(text) ? text : text.replace(/\.+$/, "");
}

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

/** The same words without slips of the finger, or undefined when there are none. */
export function withoutSlips(words: SaidWords): SaidWords | undefined {
  const texts = words.texts.map(withoutSlip);
  return texts.some((text, index) => text !== words.texts[index]) ? { ...words, texts } : undefined;
}

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

/** Whether any time or period can begin with the word at this place. A cheap first look: most words of a line cannot. */
export function mayBeginTime(words: readonly string[], at: number): boolean {
  const isLead = leads.has((words[at] ?? "").toLowerCase());
  return isLead
    ? words.slice(at + 1, at + mostLeads).some((word) => !leads.has(word.toLowerCase()) && isOfTime(word))
    : isFirst(words[at] ?? "");
}

/** Words that begin a time with others behind them: "for the next", "to a". */
const leads: ReadonlySet<string> = new Set(
  (
    "from to by through thru for during throughout over make since on in at between around about approximately " +
    "approx roughly ca up of @ , the this my our a an all whole entire"
  ).split(" "),
);
const mostLeads = 7;
const isOfTime = (word: string): boolean =>
  isFirst(word) ||
  /^(?:h|hrs?|hours?|m|mins?|minutes?|d|days?|wks?|weeks?|fortnights?|mths?|months?|yrs?|years?)\b/i.test(word);

function isFirst(word: string): boolean {
  const text = firsts.has(word) ? word : plainWord(word);
  if (firsts.has(text)) return true;
  const code = text.charCodeAt(0);
  if (code >= 48 && code <= 57) return true;
  const glued = text.search(/[-–—+&/]/);
  return glued === 0 || (glued > 0 && firsts.has(text.slice(0, glued))) || /^\.\d/.test(text);
}

const firsts: ReadonlySet<string> = new Set([
  ...[...weekdayNames.keys(), ...monthNames.keys(), ...dayPartNames.keys()],
  // What stands in front of a time, numbers and lengths, and days and times with a name.
  ...(
    "until till til one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen " +
    "nineteen twenty thirty forty fifty sixty seventy eighty ninety couple few several some half quarter another extra " +
    "additional further first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth " +
    "fifteenth sixteenth seventeenth eighteenth nineteenth twentieth thirtieth last next following coming " +
    "today tomorrow tonight overnight yesterday day week weekend rest remainder end start beginning noon " +
    "midnight eod cob eob eow eom close christmas xmas new nye silvester after before lunch lunchtime dinner breakfast dawn dusk " +
    "sunrise sunset forever later soon asap early late mid " +
    "starting beginning both daily nightly everyday biweekly fortnightly weekdays workdays weekends working business work " +
    "mondays tuesdays wednesdays thursdays fridays saturdays sundays mornings afternoons evenings nights"
  ).split(" "),
]);
