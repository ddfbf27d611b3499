import type { Command } from "../commands/command.ts";
import type { Field } from "../commands/field.ts";
import { nearestWord, nearNameIn } from "./nearest-word.ts";
import { openingsOf } from "./phrases.ts";
import type { LineSplit, SplitLine } from "./split-line.ts";
import type { Word } from "./tokenize.ts";

/** A longer line has too many readings to be worth a guess. */
const maxWords = 30;

/**
 * Lines that the person may have meant by one that was not understood, the likeliest first: without the words that mean nothing,
 * with mistyped ones corrected, with the command in front. `names`: known names that a word may be a mistyped form of.
 */
export function readingsOf(split: LineSplit, offered: readonly Command[], names: readonly string[]): readonly string[] {
  const { words } = split;
  if (words.length === 0 || words.length > maxWords) return [];
  const openings = openingsOf(offered);
  const lines = split.kind === "split" ? withoutUnexplained(split, openings, names) : nearCommand(words, openings);
  const own = lineOf(words).toLowerCase();
  return [...new Set(lines.filter((line) => line !== undefined))].filter(
    (line) => line.toLowerCase() !== own && keepsNegation(line, words),
  );
}

const negations: ReadonlySet<string> = new Set([
  "don't",
  "don’t",
  "dont",
  "not",
  "never",
  "no",
  "cannot",
  "can't",
  "can’t",
]);

/** Without its "don't" a line means the opposite. */
function keepsNegation(line: string, words: readonly Word[]): boolean {
  const kept = new Set(line.toLowerCase().split(" "));
  return words.every(({ value }) => !negations.has(value.toLowerCase()) || kept.has(value.toLowerCase()));
}

const lineOf = (words: readonly Word[]): string =>
  words.map(({ value, isQuoted }) => (isQuoted ? `"${value}"` : value)).join(" ");

function withoutUnexplained(
  { command, words, unexplained }: SplitLine,
  openings: readonly string[],
  names: readonly string[],
): readonly (string | undefined)[] {
  const options = Object.values<Field>(command.fields).flatMap((field) =>
    field.kind === "choice" ? field.options.map(({ value }) => value) : [],
  );
  const known = [...names, ...options];
  return [corrected(words, unexplained, known), without(words, unexplained), ...nearCommand(words, openings)];
}

/** Without these words, and without a joiner that they leave behind. */
function without(words: readonly Word[], unexplained: readonly Word[]): string | undefined {
  const starts = new Set(unexplained.map(({ start }) => start));
  const kept = words.filter(({ start }) => !starts.has(start));
  return kept.length > 0 ? lineOf(kept) : undefined;
}

function corrected(words: readonly Word[], unexplained: readonly Word[], names: readonly string[]): string | undefined {
  const starts = new Set(unexplained.map(({ start }) => start));
  const findNear = nearNameIn(names);
  let isCorrected = false;
  const all = words.map((word) => {
    const near = starts.has(word.start) ? findNear(word.value) : undefined;
    isCorrected ||= near !== undefined;
    return near === undefined ? word : { ...word, value: near, isQuoted: near.includes(" ") };
  });
  return isCorrected ? lineOf(all) : undefined;
}

/** With the command that a mistyped beginning is nearest to. After a known first word, it is the second that is mistyped. */
function nearCommand(words: readonly Word[], openings: readonly string[]): readonly string[] {
  const isKnown = firstWordsOf(openings).has(words[0]?.value.toLowerCase() ?? "");
  for (const length of isKnown && words.length > 1 ? [2] : [2, 1]) {
    const typed = lineOf(words.slice(0, length)).toLowerCase();
    const near = nearestWord(typed, openings);
    const isNear = near !== undefined && near.differences <= Math.max(1, Math.floor(near.word.length / 4));
    if (isNear && near.word.split(" ").length === length) return [`${near.word} ${lineOf(words.slice(length))}`.trim()];
  }
  return [];
}

const firstWordsOf = (openings: readonly string[]): ReadonlySet<string> =>
  new Set(openings.map((opening) => opening.split(" ")[0] ?? ""));
