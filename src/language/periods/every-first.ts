import { unquoted } from "../take-start.ts";
import type { Word } from "../tokenize.ts";
import type { FindPeriod } from "./take-period.ts";

/** A longer line is no request for a series. */
const mostWords = 40;

/**
 * Says a series as the grammar has it, with "every" in front of its days and times: "keep staging up on thursdays 18:00-22:00", "… daily
 * 18:00-22:00", "… until 21:00 today and tomorrow". Undefined when the line names none.
 */
export function withEveryFirst(words: readonly Word[], findPeriod: FindPeriod): readonly Word[] | undefined {
  const found = firstOf("series", words, findPeriod);
  if (found?.reading.kind !== "series") return undefined;
  const lead = ["every", ...found.reading.lead].map(wordAt(words[found.at]));
  return [...words.slice(0, leadBefore(unquoted(words), found.at)), ...lead, ...words.slice(found.at)];
}

/** The line once for each of several periods: "keep staging up sat 9-17 and sun 9-13". Empty when it names none. */
export function inEachPeriod(
  words: readonly Word[],
  findPeriod: FindPeriod,
  isKeptOff: boolean,
): readonly (readonly Word[])[] {
  const found = firstOf("several", words, findPeriod, isKeptOff);
  if (found?.reading.kind !== "several") return [];
  const [before, behind] = [words.slice(0, found.at), words.slice(found.at + found.end)];
  const said = wordAt(words[found.at]);
  return found.reading.periods.map((period) => [...before, ...period.words.map(said), ...behind]);
}

const wordAt =
  ({ start = 0 }: Partial<Word> = {}) =>
  (value: string): Word => ({ value, isQuoted: false, start });

function firstOf(kind: "series" | "several", words: readonly Word[], findPeriod: FindPeriod, isKeptOff = false) {
  const open = words.findIndex(({ value, isQuoted }) => !isQuoted && /^(?:because|bc|every|each|--.*)$/i.test(value));
  const count = open === -1 ? words.length : open;
  const typed = unquoted(words);
  for (let at = 1; at < count && count <= mostWords; at++) {
    // “keep staging up till …”: the phrase ends with “up”.
    const run = typed[at]?.toLowerCase() === "up" ? undefined : findPeriod(typed.slice(at), true, isKeptOff);
    if (run?.reading.kind === kind) return { ...run, at };
  }
  return undefined;
}

/** Without the small words in front: "on", "all the". */
function leadBefore(typed: readonly string[], at: number): number {
  let end = at;
  while (end > 1 && /^(?:on|at|all|the|for|of|over|weekly)$/i.test(typed[end - 1] ?? "")) end--;
  return end;
}
