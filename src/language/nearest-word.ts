import { closest, distance } from "fastest-levenshtein";

export interface NearestWord {
  readonly word: string;
  /** How many letters differ. */
  readonly differences: number;
}

/** A longer text is like no known word, and comparing it would be slow. */
const maxComparedLength = 100;

/** The word nearest to the typed one; undefined when there are none or the text is too long. */
export function nearestWord(typed: string, words: readonly string[]): NearestWord | undefined {
  if (typed.length > maxComparedLength || words.length === 0) return undefined;
  const word = closest(typed, words);
  return { word, differences: distance(typed, word) };
}
