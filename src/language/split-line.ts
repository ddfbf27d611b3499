import { namesOf } from "../commands/catalogue.ts";
import type { Command } from "../commands/command.ts";
import type { Field } from "../commands/field.ts";
import { flagOf } from "./flag.ts";
import { nearestWord } from "./nearest-word.ts";
import { tokenize, type Word } from "./tokenize.ts";

/** A line split into the words each field of its command is to be read from. */
export interface SplitLine {
  readonly kind: "split";
  readonly command: Command;
  readonly parts: ReadonlyMap<string, readonly Word[]>;
  /** What belongs to no field, in sentences. */
  readonly problems: readonly string[];
}
/** Far more than any command needs; what is longer is refused as a whole, since a part of it would mean something else. */
export const longestLine = 4000;
const tooLong =
  "A line may have 4,000 characters at most, and this one is longer. Nothing was changed: send a shorter one.";

export type LineSplit = SplitLine | { readonly kind: "unclear"; readonly problem: string };

/** Finds the command and deals its words out to its fields: flags, `for`/`until`, then positionals in order. Only what is `offered` is suggested for an unknown word. */
export function splitLine(line: string, commands: readonly Command[], offered: () => readonly Command[]): LineSplit {
  if (line.length > longestLine) return { kind: "unclear", problem: tooLong };
  const tokens = tokenize(line);
  if (tokens.kind === "unclosed") {
    return {
      kind: "unclear",
      problem: `The quote ${tokens.quote} is not closed. Nothing was changed: close it and send the line again.`,
    };
  }
  const found = findCommand(tokens.words, commands);
  if (!found) return { kind: "unclear", problem: unknownCommand(tokens.words, offered()) };
  return deal(found.command, tokens.words.slice(found.length));
}

function findCommand(words: readonly Word[], commands: readonly Command[]) {
  const spoken = words.map(({ value }) => value.toLowerCase());
  const longest = namedIn(commands).find(({ name }) => name.every((word, index) => word === spoken[index]));
  return longest && { command: longest.command, length: longest.name.length };
}

interface Named {
  readonly command: Command;
  readonly name: readonly string[];
}

const named = new WeakMap<readonly Command[], readonly Named[]>();

/** Every name that a command goes by, in its words, the longest first. */
function namedIn(commands: readonly Command[]): readonly Named[] {
  const known = named.get(commands);
  if (known) return known;
  const all = commands.flatMap((command) => namesOf(command).map((name) => ({ command, name: name.split(" ") })));
  all.sort((one, other) => other.name.length - one.name.length);
  named.set(commands, all);
  return all;
}

function unknownCommand(words: readonly Word[], offered: readonly Command[]): string {
  const spoken = words.map(({ value }) => value.toLowerCase());
  const names = offered.flatMap(namesOf);
  const [noun = ""] = spoken;
  const ofNoun = names.filter((name) => name.split(" ")[0] === noun);
  const hint = ofNoun.length ? orList(ofNoun) : nearestCommand(spoken, names);
  return `There is no command “${spoken.slice(0, 2).join(" ")}”.${hint ? ` Did you mean ${hint}?` : ""} Nothing was changed. \`help\` shows what you may do here.`;
}

function nearestCommand(spoken: readonly string[], names: readonly string[]): string {
  const tries = [spoken.slice(0, 2).join(" "), spoken[0] ?? ""].flatMap((said) => {
    const near = nearestWord(said, names);
    return near ? [{ name: near.word, far: near.differences / Math.max(said.length, 1) }] : [];
  });
  const [best] = tries.sort((one, other) => one.far - other.far);
  return best && best.far <= 0.5 ? `“${best.name}”` : "";
}

function orList(names: readonly string[]): string {
  return names.map((name) => `“${name}”`).join(" or ");
}

function deal(command: Command, words: readonly Word[]): SplitLine {
  const parts = new Map<string, readonly Word[]>();
  const problems: string[] = [];
  const fields = Object.entries<Field>(command.fields);
  const unflagged = takeFlags(words, fields, parts, problems);
  const rest = takeTime(unflagged, fields, parts);
  const extra = takePositionals(rest, fields, parts);
  if (extra.length > 0) problems.push(`“${extra.map(({ value }) => value).join(" ")}” is one too many here.`);
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
    const [, said = "", inline] = flag;
    const [name, field] = fields.find(([field]) => flagOf(field) === said.toLowerCase()) ?? [];
    const isSwitch = field?.kind === "switch" && inline === undefined;
    const value = inline !== undefined || isSwitch ? { ...word, value: inline ?? "yes" } : queue.next().value;
    if (name === undefined) problems.push(unknownFlag(said, fields));
    else if (value === undefined || value.value === "") problems.push(`--${said} needs a value.`);
    else parts.set(name, [value]);
  }
  return rest;
}

function unknownFlag(said: string, fields: NamedFields): string {
  const flags = fields.map(([field]) => flagOf(field));
  const near = nearestWord(said.toLowerCase(), flags);
  const isNear = near !== undefined && near.differences <= Math.max(2, near.word.length / 3);
  return `There is no --${said} here.${isNear ? ` Did you mean --${near.word}?` : flags.length ? ` There are ${flags.map((flag) => `--${flag}`).join(", ")}.` : ""}`;
}

/** `for …` and `until …` reach to the end of the line; they stay in front, since they tell a length from a moment. */
function takeTime(words: readonly Word[], fields: NamedFields, parts: Parts): readonly Word[] {
  const time = fields.find(([, field]) => field.kind === "moment" || field.kind === "extension")?.[0];
  const at = words.findIndex(({ value, isQuoted }) => !isQuoted && /^(?:for|until)$/i.test(value));
  if (time === undefined || at === -1) return words;
  // Of an end given by a flag as well, neither is passed over: its field is to say that they are two.
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
