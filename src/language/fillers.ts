import type { Word } from "./tokenize.ts";

/** Polite and small words, which change nothing. Every other word must be understood. */
export const fillers: ReadonlySet<string> = new Set([
  ...["please", "pls", "plz", "kindly", "thanks", "thx", "ty", "cheers"],
  ...["the", "a", "an", "just", "now", "ok", "okay", "so"],
]);

/** What people say before they say what they want. */
const openings: readonly (readonly string[])[] = [
  ...["can you", "could you", "would you", "will you"],
  ...["i want to", "i need to", "we want to", "we need to", "i'd like to", "i would like to", "we'd like to", "let's"],
  ...["hi", "hello", "hey", "dear", "hi curfew", "hello curfew", "hey curfew", "dear curfew", "good morning", "also"],
].map((phrase) => phrase.split(" "));
const endings: readonly (readonly string[])[] = [["thank", "you"], ["many", "thanks"], ["asap"]];

/** The line without what is said before a request. Punctuation after such a word goes with it: "Hi Curfew, …". */
export function withoutOpening(words: readonly Word[]): readonly Word[] {
  const typed = words.map(bare);
  let at = 0;
  for (let length = 1; length > 0 && at < words.length; at += length) {
    const opening = openings.filter((each) => each.every((word, index) => typed[at + index] === word));
    const longest = Math.max(0, ...opening.map((each) => each.length));
    length = longest || (fillers.has(typed[at] ?? "") ? 1 : 0);
  }
  return words.slice(at);
}

/** The words without fillers, and without what ends a sentence. Quoted words stay. */
export function withoutFillers(words: readonly Word[]): readonly Word[] {
  const kept = words.filter((word) => !fillers.has(bare(word)));
  const ending = endings.find((each) => each.every((word, index) => at(kept, index - each.length) === word));
  return withoutStop(ending ? kept.slice(0, -ending.length) : kept);
}

/** The words without a full stop, a question mark or the like at their end. */
export function withoutStop(words: readonly Word[]): readonly Word[] {
  const last = words.at(-1);
  if (!last || last.isQuoted) return words;
  // The last dot of 25.11. belongs to the date.
  if (/^\d{1,2}\.\d{1,2}\.$/.test(last.value)) return words;
  const value = withoutPunctuation(last.value);
  const before = words.slice(0, -1);
  return value === "" ? before : [...before, { ...last, value }];
}

const at = (words: readonly Word[], index: number): string => {
  const word = words.at(index);
  return word ? bare(word) : "";
};

const bare = ({ value, isQuoted }: Word): string =>
  isQuoted ? "" : withoutPunctuation(value).toLowerCase().replaceAll("’", "'");

/** By hand, since a regular expression would try each place where these characters occur. */
function withoutPunctuation(text: string): string {
  let end = text.length;
  while (end > 0 && ".,!?;".includes(text[end - 1] ?? "")) end--;
  return text.slice(0, end);
}
