import type { Command } from "../commands/command.ts";
import type { Field, Input } from "../commands/field.ts";
import { readClockRange, separated } from "./periods/clock-range.ts";
import { type FindPeriod, mostWords } from "./periods/find-period.ts";
import type { FindSpan } from "./periods/read-span.ts";
import type { FoundTime } from "./read-time.ts";
import { readLength } from "./time-words/lengths.ts";
import { skip, timeWords } from "./time-words/words.ts";
import type { Word } from "./tokenize.ts";

/* Takes the words of a time from those of a line, and gives them to the field of its command that they are for. */

/** The first words that are a time; undefined if none are. */
export type FindTime = (words: readonly string[]) => FoundTime | undefined;

interface Taking {
  readonly command: Command;
  readonly fields: readonly (readonly [string, Field])[];
  readonly parts: Map<string, readonly Word[]>;
  readonly findTime: FindTime;
  readonly findPeriod: FindPeriod;
  readonly findSpan: FindSpan;
  /** What the phrase says beside: that something is kept off. */
  readonly sets: Input;
  /** Where the words behind the thing begin, if the phrase says that: “keep staging up …”. */
  readonly afterThing?: number | undefined;
}

type Words = readonly Word[];

export const isStart = (field: Field): boolean => field.kind === "moment" && field.isStart === true;

/** Quoted words are no keywords. */
export const unquoted = (words: Words): readonly string[] =>
  words.map(({ value, isQuoted }) => (isQuoted ? "" : value));

const lower = (words: Words): readonly string[] => unquoted(words).map((word) => word.toLowerCase());

/** The field that has no words yet. */
const openField = ({ fields, parts }: Taking, isWanted: (field: Field) => boolean): string | undefined =>
  fields.find(([name, field]) => isWanted(field) && !parts.has(name))?.[0];

const without = (words: Words, from: number, to: number): Words => [...words.slice(0, from), ...words.slice(to)];

/** Takes `from fri 18:00`, in front of the end, from a line whose command can begin later. */
export function takeStart(words: Words, taking: Taking): Words {
  const { parts, findTime } = taking;
  const name = openField(taking, isStart);
  if (name === undefined) return words;
  const typed = lower(words);
  const inLength = startInLength(typed, findTime);
  if (inLength) {
    parts.set(name, words.slice(inLength.at, inLength.end));
    return without(words, inLength.at, inLength.end);
  }
  for (const [at, word] of typed.entries()) {
    if (!startWords.has(word) || isOfLength(typed, at)) continue;
    const first = at + 1 + (joins.has(typed[at + 1] ?? "") ? 1 : 0);
    const end = typed.findIndex((each, index) => index > first && endWords.has(each));
    const said = words.slice(first, end === -1 ? first + mostOfStart : end);
    const time = typed[first] === "now" ? undefined : findTime(["until", ...unquoted(said)]);
    if (time?.start !== 0 || time.end < 2) continue;
    parts.set(name, words.slice(first, first + time.end - 1));
    return without(words, at, first + time.end - 1);
  }
  return takeStartBefore(words, name, taking);
}

/** `friday 6pm to saturday 2am`, `tomorrow at 18:00 for 2h`: a moment in front of the end is the start. */
function takeStartBefore(words: Words, name: string, { parts, findTime, afterThing }: Taking): Words {
  const typed = lower(words);
  const end = typed.findIndex((word) => endWords.has(word) && word !== "in");
  const found = end > 0 ? findTime(unquoted(words).slice(end)) : undefined;
  // `tomorrow for 2h` does not say when it starts.
  const needed = found?.reading.kind === "length" ? clock : clockOrDay;
  for (let at = Math.max(1, end - mostOfStart); found?.start === 0 && at < end; at++) {
    const said = unquoted(words).slice(at, end);
    const isWhole = findTime(["until", ...said])?.end === said.length + 1;
    const isAfterThing = afterThing !== undefined && (words[at]?.start ?? 0) >= afterThing;
    const isTime = isAfterThing || findTime(said)?.start === 0;
    if (!isWhole || !isTime || !said.some((word) => needed.test(word))) continue;
    const isLength = findTime(said)?.reading.kind === "length";
    if (isLength || [typed[at - 1], typed[at]].some((word) => endWords.has(word ?? "") || word === "by")) return words;
    const behind = end + found.end;
    if (nightLong.test(said.join(" ")) && early.test(typed.slice(end, behind).join(" "))) {
      const morning = ["in", "the", "morning"].map(wordAt(words[end]));
      return [...words.slice(0, at), ...words.slice(end, behind), ...morning, ...words.slice(behind)];
    }
    parts.set(name, words.slice(at, end));
    return without(words, at, end);
  }
  return words;
}

/** "overnight until 8" */
const nightLong = /^(?:over ?night|(?:all|the whole) night)$/i;
const early = /^(?:until|till?) (?:1[01]|\d)(?:[:.]\d\d)?$/;

const clock = /^\d{1,2}(?:[:.]\d\d)?(?:[ap]m|h)?$|^(?:noon|midnight)$/i;
const clockOrDay = /\d|day|morning|evening|night|noon|tomorrow/i;

/** `in 2h for 1h`: a length behind `for` leaves `in 2h` as the start. */
function startInLength(typed: readonly string[], findTime: FindTime): { at: number; end: number } | undefined {
  const at = typed.indexOf("in");
  const behind = typed.indexOf("for");
  const end = at === -1 || behind === -1 ? 0 : behind > at ? behind : typed.length;
  const isWhole = end > at + 1 && findTime(["until", ...typed.slice(at, end)])?.end === end - at + 1;
  const length = isWhole ? findTime(typed.slice(behind, behind > at ? typed.length : at)) : undefined;
  return length?.start === 0 && length.reading.kind === "length" ? { at, end } : undefined;
}

const startWords: ReadonlySet<string> = new Set(["from", "starting", "beginning"]);
const joins: ReadonlySet<string> = new Set(["at", "on", "from"]);
const endWords: ReadonlySet<string> = new Set("until till til to for through thru - –".split(" "));
const mostOfStart = 12;

/** `a week from monday` is one moment, and `for 2 days from monday` a length from a start. */
function isOfLength(typed: readonly string[], at: number): boolean {
  const isUnit = /^(?:minute|hour|day|week|month)s?$/.test(typed[at - 1] ?? "");
  return isUnit && !typed.slice(Math.max(0, at - 4), at).includes("for");
}

const before = "before it stops|before|ahead|earlier|beforehand|in advance|in front";

/** Takes `1h before` from the line of a question that has a length: "warn me about staging 1h before". */
export function takeLength(words: Words, taking: Taking): Words {
  const name = openField(taking, ({ kind }) => kind === "length");
  if (name === undefined || taking.command.kind !== "query") return words;
  const typed = timeWords(unquoted(words));
  for (let at = 0; at < words.length; at++) {
    const length = readLength(typed, at);
    if (!length) continue;
    taking.parts.set(name, words.slice(at, length.end));
    return without(words, at, skip(typed, length.end, before));
  }
  return words;
}

/** Takes `tonight` or `on 25 december` from the line of a question about a time. */
export function takeSpan(words: Words, taking: Taking): Words {
  const name = openField(taking, ({ kind }) => kind === "span");
  const found = name === undefined ? undefined : taking.findSpan(unquoted(words));
  if (name === undefined || !found) return words;
  taking.parts.set(name, words.slice(found.start, found.end));
  return without(words, found.start, found.end);
}

/** Stands in front of the words of a period, which give the start and the end. */
export const periodWord = "during";

/** Takes `this weekend`, `on friday until 22:00` or `tomorrow 18:00-22:00` from a line whose command has a start and an end. */
export function takePeriod(words: Words, { fields, parts, findPeriod, sets, afterThing }: Taking): Words {
  const isKeptOff = sets.process === "start";
  const start = fields.find(([, field]) => isStart(field))?.[0];
  const end = fields.find(([, field]) => field.kind === "moment" && !isStart(field) && field.hidden === undefined)?.[0];
  if (start === undefined || end === undefined || parts.has(start) || parts.has(end)) return words;
  const typed = unquoted(words);
  for (const [at, word] of words.entries()) {
    const isAfterThing = afterThing !== undefined && word.start >= afterThing;
    const run =
      at === 0 && !isAfterThing ? undefined : findPeriod(typed.slice(at, at + mostWords), isAfterThing, isKeptOff);
    // "this evening until 22:00" has a start and an end.
    const isToday = /^this$/i.test(typed[at - 1] ?? "");
    if (isToday || (!run && stops.has(typed[at]?.toLowerCase() ?? ""))) return words;
    if (!run) continue;
    const rest = without(words, at, at + run.end);
    // Another time beside it is the real end or start, or a second one.
    if (unquoted(rest).some((each) => stops.has(each.toLowerCase()))) return words;
    const said = [{ value: periodWord, isQuoted: false, start: word.start }, ...words.slice(at, at + run.end)];
    parts.set(start, said);
    parts.set(end, said);
    return rest;
  }
  return words;
}

/** Takes `18:30-22:30 from 10 december` from a line that changes the times of a series. */
export function takeTimesOfSeries(words: Words, taking: Taking): Words {
  const name = openField(taking, (field) => field.kind === "recurrence" && field.isPart === true);
  if (name === undefined) return words;
  const typed = unquoted(words);
  for (let at = 1; at < words.length; at++) {
    const pieces = timeWords(separated(typed.slice(at)).words);
    const isTimes = readClockRange(pieces, skip(pieces, 0, "to|from|at|between"));
    if (!isTimes && !/^(?:every|each)$/.test(pieces.texts[0] ?? "")) continue;
    taking.parts.set(name, words.slice(at));
    return words.slice(0, at);
  }
  return words;
}

const stops: ReadonlySet<string> = new Set(
  "until untill till til by to from starting beginning for in through thru".split(" "),
);

/** A longer line is no request for a series. */
const mostOfSeries = 40;

/**
 * Says a series as the grammar has it, with "every" in front of its days and times: "keep staging up on thursdays 18:00-22:00", "… daily
 * 18:00-22:00", "… until 21:00 today and tomorrow". Undefined when the line names none.
 */
export function withEveryFirst(words: Words, findPeriod: FindPeriod): Words | undefined {
  const found = firstOf("series", words, findPeriod);
  if (found?.reading.kind !== "series") return undefined;
  const lead = ["every", ...found.reading.lead].map(wordAt(words[found.at]));
  return [...words.slice(0, leadBefore(unquoted(words), found.at)), ...lead, ...words.slice(found.at)];
}

/** The line once for each of several periods: "keep staging up sat 9-17 and sun 9-13". Empty when it names none. */
export function inEachPeriod(words: Words, findPeriod: FindPeriod, isKeptOff: boolean): readonly Words[] {
  const found = firstOf("several", words, findPeriod, isKeptOff);
  if (found?.reading.kind !== "several") return [];
  const [before, behind] = [words.slice(0, found.at), words.slice(found.at + found.end)];
  const said = wordAt(words[found.at]);
  return found.reading.periods.map((period) => [...before, ...period.words.map(said), ...behind]);
}

const wordAt =
  ({ start = 0 }: Partial<Word> = {}) =>
  (value: string): Word => ({ value, isQuoted: false, start });

function firstOf(kind: "series" | "several", words: Words, findPeriod: FindPeriod, isKeptOff = false) {
  const open = words.findIndex(({ value, isQuoted }) => !isQuoted && /^(?:because|bc|every|each|--.*)$/i.test(value));
  const count = open === -1 ? words.length : open;
  const typed = unquoted(words);
  for (let at = 1; at < count && count <= mostOfSeries; at++) {
    // “keep staging up till …”: the phrase ends with “up”.
    const run = typed[at]?.toLowerCase() === "up" ? undefined : findPeriod(typed.slice(at), true, isKeptOff);
    if (run?.reading.kind === kind) return { ...run, at };
  }
  return undefined;
}

/** Without the small words in front: "on", "all the". */
function leadBefore(typed: readonly string[], at: number): number {
  let end = at;
  while (end > 1 && /^(?:on|at|all|the|for|of|over|weekly)$/i.test(typed[end - 1] ?? "")) end--;
  return end;
}
