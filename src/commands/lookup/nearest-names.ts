import { distance } from "fastest-levenshtein";

/** A longer text is like no name, and comparing it would be slow. */
const maxCompared = 60;
const maxFound = 3;

/** The names that differ from the text in a few letters, the nearest first. */
export function nearestNames(text: string, names: readonly string[]): readonly string[] {
  const said = text.toLowerCase();
  if (said.length > maxCompared) return [];
  // Two letters that changed places are two differences.
  const mostDifferences = said.length < 5 ? 1 : Math.max(2, Math.floor(said.length / 3));
  return [...new Set(names)]
    .map((name) => ({ name, differences: distance(said, name.toLowerCase()) }))
    .filter(({ differences }) => differences <= mostDifferences)
    .sort((one, other) => one.differences - other.differences)
    .slice(0, maxFound)
    .map(({ name }) => name);
}

/** Whether a name begins with the text, or one of its words does. Articles do not matter: a line may be without them. */
export function hasWord(name: string, text: string): boolean {
  const [whole, said] = [` ${wordsIn(name).join(" ")}`, ` ${wordsIn(text).join(" ")}`];
  return said !== " " && whole.includes(said);
}

/** Whether two texts have the same words, but for articles. */
export function hasSameWords(name: string, text: string): boolean {
  return wordsIn(name).join(" ") === wordsIn(text).join(" ");
}

/** The word to search names by. */
export function longestWord(text: string): string {
  return wordsIn(text).reduce((longest, word) => (word.length > longest.length ? word : longest), "");
}

const articles: ReadonlySet<string> = new Set(["a", "an", "the"]);
const wordsIn = (text: string): readonly string[] =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "" && !articles.has(word));
