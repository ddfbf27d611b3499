import { nearestNames } from "../lookup/nearest-names.ts";
import type { CommandHelp } from "../query-ports.ts";

/** Words that say nothing about what is asked for. */
const fillers: ReadonlySet<string> = new Set(
  "a about an and do does for how i in is me my of on please the to what with".split(" "),
);
const shortestPrefix = 3;

/** The commands with the most of these words among their words, aliases and summary; none if no command has any. */
export function helpAbout(text: string, help: readonly CommandHelp[]): readonly CommandHelp[] {
  const asked = wordsIn(text).filter((word) => !fillers.has(word));
  if (asked.length === 0) return help;
  const counted = help.map((command) => {
    const words = wordsOf(command);
    return { command, count: asked.filter((word) => words.some((each) => isForm(each, word))).length };
  });
  const most = Math.max(0, ...counted.map(({ count }) => count));
  return most === 0 ? [] : counted.filter(({ count }) => count === most).map(({ command }) => command);
}

/** The words of help that a mistyped one may mean. */
export function nearestHelp(text: string, help: readonly CommandHelp[]): readonly string[] {
  return nearestNames(text, help.flatMap(wordsOf));
}

const wordsOf = ({ names, summary }: CommandHelp): readonly string[] => wordsIn([...names, summary].join(" "));

const wordsIn = (text: string): readonly string[] =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);

/** "exclusion" for "exclusions", and the reverse. */
function isForm(word: string, asked: string): boolean {
  if (word === asked) return true;
  const isLong = Math.min(word.length, asked.length) >= shortestPrefix;
  return isLong && (word.startsWith(asked) || asked.startsWith(word));
}
