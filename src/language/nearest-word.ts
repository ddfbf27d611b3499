import { closest, distance } from "fastest-levenshtein";

export interface NearestWord {
  readonly word: string;
  /** How many letters differ. */
  readonly differences: number;
}

/** What is longer is like no word there is, and comparing it would take long. */
const longestCompared = 100;

/** The word that is most like what was typed; undefined where none can be. */
export function nearestWord(typed: string, words: readonly string[]): NearestWord | undefined {
  if (typed.length > longestCompared || words.length === 0) return undefined;
  const word = closest(typed, words);
  return { word, differences: distance(typed, word) };
}
