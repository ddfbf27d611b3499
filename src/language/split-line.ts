import type { Command } from "../commands/command.ts";
import type { Field } from "../commands/field.ts";
import { flagOf } from "./flag.ts";
import { namesOf } from "./names-of.ts";
import { nearestWord } from "./nearest-word.ts";
import { tokenize, type Word } from "./tokenize.ts";

/** A line split into the words of each field of its command. */
export interface SplitLine {
  readonly kind: "split";
  readonly command: Command;
  readonly parts: ReadonlyMap<string, readonly Word[]>;
  /** Words that belong to no field, in sentences. */
  readonly problems: readonly string[];
}

/** Far more than any command needs. A longer line is refused whole, since a part of it would mean something else. */
export const maxLineLength = 4000;
const tooLong =
  "A line can have at most 4,000 characters, and this one is longer. Nothing was changed: send a shorter one.";

export type LineSplit = SplitLine | { readonly kind: "unclear"; readonly problem: string };

/** Finds the command and assigns its words to fields: flags, `for`/`until`, then positionals. Suggests only `offered` commands. */
export function splitLine(line: string, commands: readonly Command[], offered: () => readonly Command[]): LineSplit {
  if (line.length > maxLineLength) return { kind: "unclear", problem: tooLong };
  const tokens = tokenize(line);
  if (tokens.kind === "unclosed") {
    return {
      kind: "unclear",
      problem: `The quote ${tokens.quote} is not closed. Nothing was changed: close it and send the line again.`,
    };
  }
  const found = findCommand(tokens.words, commands);
  if (!found) return { kind: "unclear", problem: unknownCommand(tokens.words, offered()) };
  return assign(found.command, tokens.words.slice(found.length));
}

function findCommand(words: readonly Word[], commands: readonly Command[]) {
  const typed = words.map(({ value }) => value.toLowerCase());
  const longest = namedIn(commands).find(({ name }) => name.every((word, index) => word === typed[index]));
  return longest && { command: longest.command, length: longest.name.length };
}

interface Named {
  readonly command: Command;
  readonly name: readonly string[];
}

const named = new WeakMap<readonly Command[], readonly Named[]>();

/** Every name of a command, as words, the longest first. */
function namedIn(commands: readonly Command[]): readonly Named[] {
  const known = named.get(commands);
  if (known) return known;
  const all = commands.flatMap((command) => namesOf(command).map((name) => ({ command, name: name.split(" ") })));
  all.sort((one, other) => other.name.length - one.name.length);
  named.set(commands, all);
  return all;
}

function unknownCommand(words: readonly Word[], offered: readonly Command[]): string {
  const typed = words.map(({ value }) => value.toLowerCase());
  const names = offered.flatMap(namesOf);
  const [noun = ""] = typed;
  const ofNoun = names.filter((name) => name.split(" ")[0] === noun);
  const hint = ofNoun.length ? orList(ofNoun) : nearestCommand(typed, names);
  return `There is no command “${typed.slice(0, 2).join(" ")}”.${hint ? ` Did you mean ${hint}?` : ""} Nothing was changed. \`help\` shows what you may do here.`;
}

function nearestCommand(typed: readonly string[], names: readonly string[]): string {
  const tries = [typed.slice(0, 2).join(" "), typed[0] ?? ""].flatMap((phrase) => {
    const near = nearestWord(phrase, names);
    return near ? [{ name: near.word, far: near.differences / Math.max(phrase.length, 1) }] : [];
  });
  const [best] = tries.sort((one, other) => one.far - other.far);
  return best && best.far <= 0.5 ? `“${best.name}”` : "";
}

function orList(names: readonly string[]): string {
  return names.map((name) => `“${name}”`).join(" or ");
}

function assign(command: Command, words: readonly Word[]): SplitLine {
  const parts = new Map<string, readonly Word[]>();
  const problems: string[] = [];
  const fields = Object.entries<Field>(command.fields);
  const unflagged = takeFlags(words, fields, parts, problems);
  const rest = takeTime(unflagged, fields, parts);
  const extra = takePositionals(rest, fields, parts);
  if (extra.length > 0) problems.push(`I didn't understand “${extra.map(({ value }) => value).join(" ")}”.`);
  return { kind: "split", command, parts, problems };
}

type NamedFields = readonly (readonly [string, Field])[];
type Parts = Map<string, readonly Word[]>;

function takeFlags(words: readonly Word[], fields: NamedFields, parts: Parts, problems: string[]): readonly Word[] {
  const rest: Word[] = [];
  const queue = words.values();
  for (const word of queue) {
    const flag = /^--([a-z][\w-]*)(?:=(.*))?$/is.exec(word.value);
    if (!flag || (word.isQuoted && flag[2] === undefined)) {
      rest.push(word);
      continue;
    }
    const [, given = "", inline] = flag;
    const [name, field] = fields.find(([field]) => flagOf(field) === given.toLowerCase()) ?? [];
    const isSwitch = field?.kind === "switch" && inline === undefined;
    const value = inline !== undefined || isSwitch ? { ...word, value: inline ?? "yes" } : queue.next().value;
    if (name === undefined) problems.push(unknownFlag(given, fields));
    else if (value === undefined || value.value === "") problems.push(`--${given} needs a value.`);
    else parts.set(name, [value]);
  }
  return rest;
}

function unknownFlag(given: string, fields: NamedFields): string {
  const flags = fields.map(([field]) => flagOf(field));
  const near = nearestWord(given.toLowerCase(), flags);
  const isNear = near !== undefined && near.differences <= Math.max(2, near.word.length / 3);
  return `There is no --${given} here.${isNear ? ` Did you mean --${near.word}?` : flags.length ? ` There are ${flags.map((flag) => `--${flag}`).join(", ")}.` : ""}`;
}

/** `for …` and `until …` reach to the end of the line. The keyword is kept, since it distinguishes a length from a moment. */
function takeTime(words: readonly Word[], fields: NamedFields, parts: Parts): readonly Word[] {
  const time = fields.find(([, field]) => field.kind === "moment" || field.kind === "extension")?.[0];
  const at = words.findIndex(({ value, isQuoted }) => !isQuoted && /^(?:for|until)$/i.test(value));
  if (time === undefined || at === -1) return words;
  // An end that a flag gives as well is kept, so that the field reports two ends.
  parts.set(time, [...(parts.get(time) ?? []), ...words.slice(at)]);
  return words.slice(0, at);
}

function takePositionals(words: readonly Word[], fields: NamedFields, parts: Parts): readonly Word[] {
  let rest = words;
  for (const [name, { positional }] of fields) {
    if (!positional || parts.has(name) || rest.length === 0) continue;
    const taken = positional === "rest" ? rest.length : 1;
    parts.set(name, rest.slice(0, taken));
    rest = rest.slice(taken);
  }
  return rest;
}
