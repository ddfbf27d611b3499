import type { Command, CommandContext } from "../../commands/command.ts";
import { missingFields } from "../../commands/command.ts";
import { type Field, type Input, presentFields } from "../../commands/field.ts";
import type { Word } from "../../language/tokenize.ts";
import type { Meanings } from "../forms/shown-words.ts";
import { limits } from "../messages/message.ts";
import { blockIdOf, problem, type Reading, type ReadingContext, stateValue } from "./field-kind.ts";
import { kindOf } from "./field-kinds.ts";
import { directoryFor } from "./reference.ts";

/** What a line or a form came to: the typed input as far as it could be read, and what is wrong or missing, by field. */
export interface FieldsRead {
  readonly input: Input;
  readonly problems: Readonly<Record<string, string>>;
  /** The words as typed, for fields that could not be read. */
  readonly typed: Readonly<Record<string, string>>;
  readonly missing: readonly string[];
  /** What words of it stand for that may mean something else another time. */
  readonly meanings?: Meanings;
}

/** Reads each field from its words on a line, then lets the command fill in what follows from the rest. */
export async function readParts(
  command: Command,
  parts: ReadonlyMap<string, readonly Word[]>,
  context: ReadingContext,
): Promise<FieldsRead> {
  const read = await readEach(command, context, async (name, field, within) => {
    const words = parts.get(name);
    return words ? kindOf(field).fromLine(field, words, within) : { kind: "missing" };
  });
  const typed = Object.keys(read.problems).map((name) => [name, said(parts.get(name))]);
  return complete(command, { ...read, typed: Object.fromEntries(typed) }, context);
}

/** Reads each field from a form's `state.values` (platform.md §7.6), keyed by block id. `settled`: what the form did not ask for. */
export async function readState(
  command: Command,
  values: unknown,
  context: ReadingContext,
  settled: Input = {},
): Promise<FieldsRead> {
  const blocks = new Map(Object.entries(isObject(values) ? values : {}));
  const read = await readEach(command, context, async (name, field, within) => {
    if (name in settled) return { kind: "value", value: settled[name] };
    const block = blocks.get(blockIdOf(command, name));
    const sent: unknown = isObject(block) ? Object.values(block)[0] : undefined;
    if (isTooLong(sent)) return problem(tooLong);
    const state = stateValue.safeParse(sent);
    return state.success ? kindOf(field).fromState(field, state.data, within) : { kind: "missing" };
  });
  return complete(command, { ...read, typed: {} }, context);
}

/** A form's inputs hold no more (platform.md §8.4); what is longer is not parsed. */
const { inputText: longestText, selectOptions: mostChosen } = limits;
const tooLong = `A field may have 3,000 characters, or ${mostChosen} choices. Nothing was changed: send less.`;

function isTooLong(sent: unknown): boolean {
  return (
    isObject(sent) &&
    Object.values(sent).some((part) =>
      typeof part === "string" ? part.length > longestText : Array.isArray(part) && part.length > mostChosen,
    )
  );
}

async function readEach(
  command: Command,
  context: ReadingContext,
  readOne: (name: string, field: Field, within: ReadingContext) => Promise<Reading>,
) {
  const input: Record<string, unknown> = {};
  const problems: Record<string, string> = {};
  const doubts: Record<string, string> = {};
  let meanings: Meanings | undefined;
  for (const [name, field] of inReadingOrder(command)) {
    const within = { ...context, said: { ...input }, directory: directoryFor(field, input, context.directory) };
    const reading = await readOne(name, field, within);
    if (reading.kind === "value" && reading.meanings) meanings = reading.meanings;
    if (reading.kind === "value") input[name] = reading.value;
    if (reading.kind === "value" && reading.doubt) doubts[name] = reading.doubt;
    if (reading.kind === "problem") problems[name] = reading.problem;
  }
  // What stood in a field that the rest of the input rules out is not part of it.
  const present = presentFields(command.fields, input).map(([name]) => name);
  const keep = <V>(entries: Record<string, V>) =>
    Object.fromEntries(
      Object.entries(entries)
        .filter(([name]) => present.includes(name))
        .sort(([one], [other]) => present.indexOf(one) - present.indexOf(other)),
    );
  const read = { input: keep(input), problems: keep(problems), doubts: keep(doubts) };
  return meanings ? { ...read, meanings } : read;
}

/** What a name among resource ids stands for depends on the type and the project that are said. */
function inReadingOrder({ fields }: Command): readonly (readonly [string, Field])[] {
  const isOfResources = ([, { kind }]: readonly [string, Field]) => kind === "resource-ids";
  const entries = Object.entries(fields);
  return [...entries.filter((entry) => !isOfResources(entry)), ...entries.filter(isOfResources)];
}

/** Adds what follows from what was given, as the command says. */
export async function complete(
  command: Command,
  { doubts, ...read }: Omit<FieldsRead, "missing"> & { readonly doubts?: Readonly<Record<string, string>> },
  context: CommandContext,
): Promise<FieldsRead> {
  const derived = "complete" in command ? await command.complete?.(read.input, context) : undefined;
  // Nothing is filled in where something was given, even if it could not be read.
  const fitting = Object.entries(derived ?? {}).filter(([name]) => !(name in read.problems));
  const input = { ...Object.fromEntries(fitting), ...read.input };
  const missing = missingFields(command.fields, input).filter((name) => !(name in read.problems));
  const lacksDerivable = missing.some((name) => command.fields[name]?.derivedFrom !== undefined);
  return { ...read, input, missing, problems: lacksDerivable ? { ...doubts, ...read.problems } : read.problems };
}

function said(words: readonly Word[] | undefined): string {
  return (words ?? []).map((word) => word.value).join(" ");
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
