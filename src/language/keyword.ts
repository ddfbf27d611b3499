import type { Use } from "./time-meaning/team-day.ts";
import { phraseAt, phrasesFor, type TimeWords } from "./time-words/phrases.ts";

export interface Keyword {
  readonly end: number;
  readonly use: Use;
  /** Whether a length after it counts from now, as after `until`. After `by` and `for` it may be added to something. */
  readonly isFromNow: boolean;
  /** Whether names often follow it too: `rename … to may`, `for april`. */
  readonly isLoose: boolean;
}

/** The word in front of an end: `for`, `until`, `by`. */
export function readKeyword(words: TimeWords, at: number): Keyword | undefined {
  const found = phraseAt(words, at, keywords);
  return found && { end: found.end, ...found.means };
}

const until = { use: "until", isFromNow: true, isLoose: false } as const;

const keywords = phrasesFor<Omit<Keyword, "end">>([
  ["until|till|til|from now until|from now till|from now to", until],
  ["to", { ...until, isLoose: true }],
  ["make it|make that", { ...until, isFromNow: false, isLoose: true }],
  ["by", { ...until, isFromNow: false, isLoose: true }],
  ["through|thru", { use: "through", isFromNow: false, isLoose: false }],
  ["for|during|throughout|over", { use: "for", isFromNow: false, isLoose: true }],
]);
