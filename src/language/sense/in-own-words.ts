import { isCommon } from "../../directory/common-words.ts";
import type { LineSplit, SplitLine } from "../split-line.ts";
import type { Word } from "../tokenize.ts";
import { isSmall, lexicon } from "./lexicon.ts";
import { isReversed } from "./mood.ts";
import type { Names } from "./names.ts";
import { type Known, plain } from "./tag.ts";
import { understand } from "./understand.ts";

/** Whether a line needs no other reading than the grammar's, which split it so. Flags are the grammar's own. */
export const isOfGrammar = (line: string, strict: LineSplit, names?: Names): boolean =>
  (strict.kind === "split"
    ? !isReversed(line) && !pastDay.test(line) && (isEdit(strict) || isPlain(strict, names))
    : strict.words.length === 0) || /(?:^|\s)--[a-z]|^can\s+<@|\bchg-\w{8,}|\(id [\w-]+\)/i.test(line);

/** The grammar reads "on friday" as the next one. */
const pastDay = /^why (?:did|was|were)(?:n['’]?t)? .* (?:on )?(?:mon|tues|wednes|thurs|fri|satur|sun)day\b/i;

/** Understands a line in whatever words: first by the grammar, then by what is known in it and the senses of its words. */
export function inOwnWords(
  typed: string,
  split: (line: string) => LineSplit,
  known: Known,
  asTyped = split(typed),
): LineSplit {
  const line = asTyped.kind === "unclear" ? plainly(typed) : typed;
  const strict = line === typed ? asTyped : split(line);
  const isHelp = strict.kind === "split" && strict.command.words === "help" && /^(?!help)\w/i.test(line);
  const isAnswer = known.card === "request" && isHelp;
  if (!isAnswer && isOfGrammar(line, strict, known.names)) return strict;
  const understood = understand(line, known);
  if (!understood) return strict;
  // Where it is a change that the grammar understood in part, its form is offered.
  const isInPart = strict.kind === "split" && strict.problems.length + strict.unexplained.length > 0;
  if (understood.kind === "offers" && understood.meant && understood.offers.length === 0 && isInPart) return strict;
  if (understood.kind === "offers") return { ...understood, kind: "unclear", words: strict.words };
  const again = split(understood.line);
  if (again.kind === "unclear") return again;
  const stray = strayIn(again, known.names);
  if (stray !== "")
    return {
      kind: "unclear",
      problem: `I didn't understand “${stray}”. Nothing was changed.`,
      ...{ words: strict.words, offers: [], meant: understood.line, hasForm: true },
    };
  return { ...again, note: understood.note, meant: understood.meant };
}

/** What people learned from other programs: "/disable", "user:disable", "rename-project", "staging+qa", "--until 22:00". */
const plainly = (line: string): string =>
  line
    .replace(/^[/!](?=[a-z])/i, "")
    .replaceAll(/(?<=^|\s)([a-z]{3,}):(?=[a-z]{3,})(?!\/)/gi, "$1 ")
    .replaceAll(/(?<=[\p{L}\d])\+(?=\p{L})/gu, " + ")
    .replaceAll(/(?<=\s)(?:--)?(?:reason|because)[= ]/gi, "because ")
    .replaceAll(/(?<=\s)--(?=[a-z])/gi, "")
    .replaceAll(/(?<=\p{L})=(?=\S)/gu, " ")
    .replace(/^([a-z]{4,})-([a-z]{4,})(?=\s)/i, "$1 $2");

/** Words of a change that the grammar would take for machines, though nothing is called so. */
function strayIn({ command, parts }: SplitLine, names: Names): string {
  if (command.kind !== "change") return "";
  const of = Object.entries(command.fields).filter(([, { kind }]) => kind === "resource-ids");
  const words = of.flatMap(([name]) => parts.get(name) ?? []).map(({ value }) => plain(value));
  const isNamed = words.map(() => false);
  for (const at of words.keys()) isNamed.fill(true, at, at + (names.at(words, at)?.length ?? 0));
  return words.filter((word, at) => !isNamed[at] && word !== "and").join(" ");
}

/** "edit release build until 22:30" names an exclusion by its reason. */
const isEdit = ({ command, words, problems, unexplained }: SplitLine): boolean =>
  command.kind === "change" && /^edit$/i.test(words[0]?.value ?? "") && problems.length + unexplained.length === 0;

/** Whether no word of the line was taken for a name that means something else, unless all of them are a name that is known. */
function isPlain({ command, parts, problems, unexplained, words: all }: SplitLine, names?: Names): boolean {
  if (problems.length > 0 || unexplained.length > 0) return false;
  // "skip this thursday" may be about a series.
  if (command.words === "skip" && parts.has("day") && !parts.has("thing")) return false;
  if (command.words === "rights" && /^(?:you|u|curfew)$/i.test(parts.get("person")?.[0]?.value ?? "")) return false;
  const which = (parts.get("which") ?? []).map(({ value }) => plain(value));
  if (which.some((word) => isOfSentence.test(word))) return false;
  return Object.entries(command.fields).every(([name, { kind, positional }]) => {
    const words: readonly Word[] = parts.get(name) ?? [];
    // "10 before it stops" is minutes.
    if (kind === "length" && words.length === 1 && /^\d+$/.test(words[0]?.value ?? "")) return false;
    // A new name ends with its sentence.
    const isNew = kind === "text" && name === "name" && positional === "rest";
    if (isNew && words.slice(0, -1).some(({ value, isQuoted }) => !isQuoted && /[.!?;,]$/.test(value))) return false;
    const isName =
      kind === "resource-ids" ||
      kind === "reference" ||
      (kind === "text" && name === "name" && /^group (?!save)/.test(command.words)) ||
      (kind === "text" &&
        positional !== undefined &&
        (name === "thing" || name === "group" || name === "person" || name === "change"));
    // "disable bob. phished"
    if (isName && words.slice(0, -1).some(({ value, isQuoted }) => !isQuoted && /[.;:!?]$/.test(value))) return false;
    // "add mfa to frank's account" is about no group.
    if (isName && command.words === "group add" && words.some(({ value }) => lexicon().senses.has(plain(value))))
      return words.every(({ value }) => names?.at([plain(value)], 0) !== undefined);
    if (isName && words.length === 1 && /^(?:every|any)thing$/i.test(words[0]?.value ?? "")) return false;
    // "who is asking?"
    if (command.kind === "query" && kind === "reference" && words.length === 1 && isSmall(plain(words[0]?.value ?? "")))
      return false;
    // "keep staging up until 8pm, customer demo"
    const [first, last] = [words[0]?.start ?? 0, words.at(-1)?.start ?? 0];
    const between = all.filter(
      ({ start }) => start > first && start < last && words.every((own) => own.start !== start),
    );
    if (isName && between.some(({ value }) => /[,;:.!?–—-]$/.test(value))) return false;
    if (!isName || words.length < 2) return true;
    // "Stop reports", "staging and qa", "alice, bob".
    const typed = words.map(({ value }) => (value.endsWith(",") ? `${plain(value)} and` : plain(value))).join(" ");
    const each = typed.split(" and ").map((part) => part.split(" "));
    if (names && each.every((part) => names.at(part, 0)?.length === part.length)) return true;
    // "disable dave, compromised laptop"
    const isList = kind === "reference" && words.some(({ value, isQuoted }) => !isQuoted && value.endsWith(","));
    return !isList && !words.some(({ value, isQuoted }) => !isQuoted && isWordOfLine(plain(value)));
  });
}

const isOfSentence =
  /^(?:holds|exceptions|bookings|reservations|i|me|my|us|is|are|have|has|that|with|currently|please|edits|everything)$/;

const isWordOfLine = (word: string): boolean =>
  word === "" || isSmall(word) || isCommon(word) || lexicon().senses.has(word);
