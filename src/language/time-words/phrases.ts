/** Words as the grammar compares them, beside what was typed. */
export interface TimeWords {
  /** In lower case, without punctuation around. */
  readonly texts: readonly string[];
  readonly typed: readonly string[];
}

/** Phrases and what they mean, by their first word. */
export type Phrases<T> = ReadonlyMap<string, readonly Phrase<T>[]>;

interface Phrase<T> {
  readonly words: readonly string[];
  readonly means: T;
}

/** Each line has phrases with one meaning, separated by `|`. A longer phrase goes before its beginning. */
export function phrasesFor<T>(meanings: readonly (readonly [string, T])[]): Phrases<T> {
  const byFirst = new Map<string, Phrase<T>[]>();
  for (const [line, means] of meanings) {
    for (const phrase of line.split("|")) {
      const words = phrase.split(" ");
      const [first = ""] = words;
      byFirst.set(first, [...(byFirst.get(first) ?? []), { words, means }]);
    }
  }
  return byFirst;
}

export const phrases = (line: string): Phrases<true> => phrasesFor([[line, true]]);

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

/** Where the next word is, past the phrase if it stands here. */
export function skip(words: TimeWords, at: number, known: Phrases<unknown>): number {
  return phraseAt(words, at, known)?.end ?? at;
}
