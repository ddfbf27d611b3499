import type { Field } from "../commands/field.ts";
import type { FoundTime } from "./read-time.ts";
import type { Word } from "./tokenize.ts";

/** The first words that are a time; undefined if none are. */
export type FindTime = (words: readonly string[]) => FoundTime | undefined;

interface Taking {
  readonly fields: readonly (readonly [string, Field])[];
  readonly parts: Map<string, readonly Word[]>;
  readonly findTime: FindTime;
  /** Where the words behind the thing begin, if the phrase says that: “keep staging up …”. */
  readonly afterThing?: number | undefined;
}

export const isStart = (field: Field): boolean => field.kind === "moment" && field.isStart === true;

/** Quoted words are no keywords. */
export const unquoted = (words: readonly Word[]): readonly string[] =>
  words.map(({ value, isQuoted }) => (isQuoted ? "" : value));

/** Takes `from fri 18:00`, in front of the end, from a line whose command can begin later. */
export function takeStart(words: readonly Word[], taking: Taking): readonly Word[] {
  const { fields, parts, findTime } = taking;
  const [name] = fields.find(([each, field]) => isStart(field) && !parts.has(each)) ?? [];
  if (name === undefined) return words;
  const typed = unquoted(words).map((word) => word.toLowerCase());
  const inLength = startInLength(typed, findTime);
  if (inLength) {
    parts.set(name, words.slice(inLength.at, inLength.end));
    return [...words.slice(0, inLength.at), ...words.slice(inLength.end)];
  }
  for (const [at, word] of typed.entries()) {
    if (!startWords.has(word) || isOfLength(typed, at)) continue;
    const first = at + 1 + (joins.has(typed[at + 1] ?? "") ? 1 : 0);
    const end = typed.findIndex((each, index) => index > first && endWords.has(each));
    const said = words.slice(first, end === -1 ? first + maxWords : end);
    const time = typed[first] === "now" ? undefined : findTime(["until", ...unquoted(said)]);
    if (time?.start !== 0 || time.end < 2) continue;
    const after = first + time.end - 1;
    parts.set(name, words.slice(first, after));
    return [...words.slice(0, at), ...words.slice(after)];
  }
  return takeStartBefore(words, name, taking);
}

/** `friday 6pm to saturday 2am`, `tomorrow at 18:00 for 2h`: a moment in front of the end is the start. */
function takeStartBefore(
  words: readonly Word[],
  name: string,
  { parts, findTime, afterThing }: Taking,
): readonly Word[] {
  const typed = unquoted(words).map((word) => word.toLowerCase());
  const end = typed.findIndex((word) => endWords.has(word) && word !== "in");
  const found = end > 0 ? findTime(unquoted(words).slice(end)) : undefined;
  // `tomorrow for 2h` does not say when it starts.
  const needed = found?.reading.kind === "length" ? clock : clockOrDay;
  for (let at = Math.max(1, end - maxWords); found?.start === 0 && at < end; at++) {
    const said = unquoted(words).slice(at, end);
    const isWhole = findTime(["until", ...said])?.end === said.length + 1;
    const isAfterThing = afterThing !== undefined && (words[at]?.start ?? 0) >= afterThing;
    const isTime = isAfterThing || findTime(said)?.start === 0;
    if (!isWhole || !isTime || !said.some((word) => needed.test(word))) continue;
    const isLength = findTime(said)?.reading.kind === "length";
    if (isLength || [typed[at - 1], typed[at]].some((word) => endWords.has(word ?? "") || word === "by")) return words;
    parts.set(name, words.slice(at, end));
    return [...words.slice(0, at), ...words.slice(end)];
  }
  return words;
}

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
const maxWords = 12;

/** `a week from monday` is one moment, and `for 2 days from monday` a length from a start. */
function isOfLength(typed: readonly string[], at: number): boolean {
  const isUnit = /^(?:minute|hour|day|week|month)s?$/.test(typed[at - 1] ?? "");
  return isUnit && !typed.slice(Math.max(0, at - 4), at).includes("for");
}
