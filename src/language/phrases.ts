import type { Command } from "../commands/command.ts";
import type { Input } from "../commands/field.ts";
import { fillers } from "./fillers.ts";
import type { Word } from "./tokenize.ts";

/** A line whose command was found. */
export interface Phrased {
  readonly command: Command;
  /** The words beside the phrase's own, in their order. */
  readonly rest: readonly Word[];
  /** The words of each field, for a phrase that names several: "rename <project> to <name>". */
  readonly named: ReadonlyMap<string, readonly Word[]>;
  /** The values that the phrase itself gives: "keep <resourceIds> off" holds back starting. */
  readonly sets: Input;
  /** The offset in the line of the first word behind the thing, for a phrase that goes on after it: "keep staging up tonight". */
  readonly afterThing?: number | undefined;
  /** How many words of its own the phrase has. */
  readonly length: number;
}

interface Phrase {
  readonly command: Command;
  readonly parts: readonly Part[];
  readonly sets: Input;
  /** How many words of its own it has. */
  readonly length: number;
}
type Part = { readonly word: string } | { readonly field: string };

/** The command that a line names, by the phrase with the most words of its own; undefined if there is none. */
export function findPhrase(words: readonly Word[], commands: readonly Command[]): Phrased | undefined {
  const typed = words.map(plain);
  const phrases = phrasesOf(commands);
  // Phrases that begin with a thing come last: "bob is locked out".
  const candidates = [...(phrases.get(typed[0] ?? "") ?? []), ...(typed.length > 1 ? (phrases.get("") ?? []) : [])];
  for (const phrase of candidates) {
    const gaps = gapsIn(phrase, typed);
    if (gaps) return phrased(phrase, gaps, words);
  }
  return undefined;
}

/** The first words of every phrase: what a line can begin with. */
export function openingsOf(commands: readonly Command[]): readonly string[] {
  const known = cachedOpenings.get(commands);
  if (known) return known;
  const phrases = [...phrasesOf(commands)].flatMap(([first, each]) => (first === "" ? [] : each));
  const openings = phrases.map(({ parts }) => {
    const end = parts.findIndex((part) => "field" in part);
    const first = end === -1 ? parts : parts.slice(0, end);
    return first.map((part) => ("word" in part ? part.word : "")).join(" ");
  });
  const found = [...new Set(openings)].filter((opening) => opening !== "");
  cachedOpenings.set(commands, found);
  return found;
}

const cachedOpenings = new WeakMap<readonly Command[], readonly string[]>();

/** A quoted word names no command. Curly apostrophes are what phones type. */
const plain = ({ value, isQuoted }: Word): string => (isQuoted ? "" : value.toLowerCase().replaceAll("’", "'"));

type Phrases = ReadonlyMap<string, readonly Phrase[]>;
const cached = new WeakMap<readonly Command[], Phrases>();

/** Every phrase by its first word, the longest first. */
function phrasesOf(commands: readonly Command[]): Phrases {
  const known = cached.get(commands);
  if (known) return known;
  const byFirst = new Map<string, Phrase[]>();
  for (const phrase of commands.flatMap(phrasesFor)) {
    const [first] = phrase.parts;
    const key = first && "word" in first ? first.word : "";
    byFirst.set(key, [...(byFirst.get(key) ?? []), phrase]);
  }
  for (const phrases of byFirst.values()) phrases.sort((one, other) => other.length - one.length);
  cached.set(commands, byFirst);
  return byFirst;
}

function phrasesFor(command: Command): readonly Phrase[] {
  // "user show" is also said as "show user".
  const [noun, verb, ...others] = command.words.split(" ");
  const turned = verb !== undefined && others.length === 0 ? [`${verb} ${noun}`] : [];
  return [command.words, ...turned, ...(command.aliases ?? [])].map((alias) => {
    const { phrase, sets } = typeof alias === "string" ? { phrase: alias, sets: {} } : alias;
    const parts = phrase.split(" ").map((word): Part => {
      const field = /^<(\w+)>$/.exec(word)?.[1];
      return field === undefined ? { word } : { field };
    });
    return { command, parts, sets, length: parts.filter((part) => "word" in part).length };
  });
}

interface Gaps {
  /** The words of each field, as places in the line. */
  readonly fields: readonly { readonly field: string; readonly from: number; readonly to: number }[];
  /** Where the words after the phrase begin. */
  readonly end: number;
}

function gapsIn({ parts }: Phrase, typed: readonly string[]): Gaps | undefined {
  const fields: { field: string; from: number; to: number }[] = [];
  let at = 0;
  let open: { readonly field: string; readonly from: number } | undefined;
  for (const part of parts) {
    if ("field" in part) {
      open = { field: part.field, from: at };
      continue;
    }
    const found = open ? typed.indexOf(part.word, at) : nextWord(typed, at, at > 0);
    if (found === -1 || typed[found] !== part.word) return undefined;
    if (open?.from === found) return undefined;
    if (open) fields.push({ ...open, to: found });
    open = undefined;
    at = found + 1;
  }
  if (open) fields.push({ ...open, to: typed.length });
  return { fields, end: open ? typed.length : at };
}

/** The place of the next word that counts: "remove the mfa" is "remove mfa". */
function nextWord(typed: readonly string[], from: number, maySkip: boolean): number {
  let at = from;
  while (maySkip && fillers.has(typed[at] ?? "")) at++;
  return at;
}

function phrased({ command, sets, length }: Phrase, { fields, end }: Gaps, words: readonly Word[]): Phrased {
  const named = fields.map(({ field, from, to }) => [field, words.slice(from, to)] as const);
  const after = words.slice(end);
  if (named.length > 1) return { command, sets, named: new Map(named), rest: after, length };
  const isAfterThing = fields.some(({ to }) => to < end);
  const afterThing = isAfterThing ? after[0]?.start : undefined;
  return {
    command,
    sets,
    named: new Map(),
    rest: [...named.flatMap(([, part]) => part), ...after],
    afterThing,
    length,
  };
}
