import type { Field } from "../commands/field.ts";
import type { FoundTime } from "./read-time.ts";
import type { Word } from "./tokenize.ts";

/** The first words that are a time; undefined if none are. */
export type FindTime = (words: readonly string[]) => FoundTime | undefined;

interface Taking {
  readonly fields: readonly (readonly [string, Field])[];
  readonly parts: Map<string, readonly Word[]>;
  readonly findTime: FindTime;
}

export const isStart = (field: Field): boolean => field.kind === "moment" && field.isStart === true;

/** Quoted words are no keywords. */
export const unquoted = (words: readonly Word[]): readonly string[] =>
  words.map(({ value, isQuoted }) => (isQuoted ? "" : value));

/** Takes `from fri 18:00`, in front of the end, from a line whose command can begin later. */
export function takeStart(words: readonly Word[], { fields, parts, findTime }: Taking): readonly Word[] {
  const [name] = fields.find(([each, field]) => isStart(field) && !parts.has(each)) ?? [];
  if (name === undefined) return words;
  const typed = unquoted(words).map((word) => word.toLowerCase());
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
  return words;
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
