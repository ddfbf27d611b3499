import { closest, distance } from "fastest-levenshtein";

export interface NearestWord {
  readonly word: string;
  /** How many letters differ; two that changed places count as one. */
  readonly differences: number;
}

/** A longer text is like no known word, and comparing it would be slow. */
const maxComparedLength = 100;

/** The word nearest to the typed one; undefined when there are none or the text is too long. */
export function nearestWord(typed: string, words: readonly string[]): NearestWord | undefined {
  if (typed.length > maxComparedLength || words.length === 0) return undefined;
  const word = closest(typed, words);
  const differences = distance(typed, word);
  const swapped = differences > 1 ? words.find((each) => isSwapOf(typed, each)) : undefined;
  return swapped === undefined ? { word, differences } : { word: swapped, differences: 1 };
}

/** Whether two letters side by side changed places, which is one slip: "dsiable" for "disable". */
export function isSwapOf(typed: string, word: string): boolean {
  if (typed.length !== word.length) return false;
  let at = 0;
  while (at < word.length && typed[at] === word[at]) at++;
  const isSwapped = typed[at] === word[at + 1] && typed[at + 1] === word[at];
  return isSwapped && typed.slice(at + 2) === word.slice(at + 2);
}

export type FindNear = (typed: string) => string | undefined;

/** Finds the name that starts like a word or differs from it in a letter or two. Signs do not matter: "Web servers" is web-servers. */
export function nearNameIn(names: readonly string[]): FindNear {
  // The first of those with one key.
  const byKey = new Map(names.toReversed().map((name) => [keyOf(name), name]));
  const keys = [...byKey.keys()].toReversed();
  return (typed) => {
    const key = keyOf(typed);
    const started = key.length > 2 ? keys.find((each) => each.startsWith(key)) : undefined;
    const near = started === undefined ? nearestWord(key, keys) : { word: started, differences: 0 };
    const isNear = near !== undefined && near.differences <= (near.word.length < 5 ? 1 : 2);
    return isNear ? byKey.get(near.word) : undefined;
  };
}

/** A name without signs. */
const keyOf = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "") || text.toLowerCase();
