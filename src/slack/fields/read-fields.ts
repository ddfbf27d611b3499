import type { Command, CommandContext } from "../../commands/command.ts";
import { missingFields } from "../../commands/command.ts";
import { type Field, type Input, presentFields } from "../../commands/field.ts";
import type { Word } from "../../language/tokenize.ts";
import type { Meanings } from "../forms/shown-words.ts";
import { limits } from "../messages/message.ts";
import { blockIdOf, problem, type Reading, type ReadingContext, stateValue } from "./field-kind.ts";
import { kindOf } from "./kind-of.ts";
import { directoryFor } from "./kinds/reference.ts";

/** The input read from a line or a form, with the problems and the missing fields. */
export interface FieldsRead {
  readonly input: Input;
  readonly problems: Readonly<Record<string, string>>;
  /** The typed words of fields that could not be read. */
  readonly typed: Readonly<Record<string, string>>;
  readonly missing: readonly string[];
  /** The meanings of words that may change later, such as names of groups. */
  readonly meanings?: Meanings;
}

/** Reads each field from its words on a line, then lets the command derive the rest. */
export async function readParts(
  command: Command,
  parts: ReadonlyMap<string, readonly Word[]>,
  context: ReadingContext,
): Promise<FieldsRead> {
  const read = await readEach(command, context, async (name, field, within) => {
    const words = parts.get(name);
    return words ? kindOf(field).fromLine(field, words, within) : { kind: "missing" };
  });
  const typed = Object.keys(read.problems).map((name) => [name, textOf(parts.get(name))]);
  return complete(command, { ...read, typed: Object.fromEntries(typed) }, context);
}

/** Reads each field from a form's `state.values` (PLATFORM.md §7.6), keyed by block id. `fixed`: the values that the form does not ask for. */
export async function readState(
  command: Command,
  values: unknown,
  context: ReadingContext,
  fixed: Input = {},
): Promise<FieldsRead> {
  const blocks = new Map(Object.entries(isObject(values) ? values : {}));
  const read = await readEach(command, context, async (name, field, within) => {
    if (name in fixed) return { kind: "value", value: fixed[name] };
    const block = blocks.get(blockIdOf(command, name));
    const sent: unknown = isObject(block) ? Object.values(block)[0] : undefined;
    if (isTooLong(sent)) return problem(tooLong);
    const state = stateValue.safeParse(sent);
    return state.success ? kindOf(field).fromState(field, state.data, within) : { kind: "missing" };
  });
  return complete(command, { ...read, typed: {} }, context);
}

/** A form's inputs hold no more (PLATFORM.md §8.4). Longer values are not parsed. */
const { inputText: maxText, selectOptions: maxChosen } = limits;
const tooLong = `A field holds at most 3,000 characters or ${maxChosen} choices. Nothing was changed: shorten it.`;

function isTooLong(sent: unknown): boolean {
  return (
    isObject(sent) &&
    Object.values(sent).some((part) =>
      typeof part === "string" ? part.length > maxText : Array.isArray(part) && part.length > maxChosen,
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
  const suggestions: Record<string, string> = {};
  let meanings: Meanings | undefined;
  for (const [name, field] of inReadingOrder(command)) {
    const within = { ...context, given: { ...input }, directory: directoryFor(field, input, context.directory) };
    const reading = await readOne(name, field, within);
    if (reading.kind === "value" && reading.meanings) meanings = reading.meanings;
    if (reading.kind === "value") input[name] = reading.value;
    if (reading.kind === "value" && reading.suggestion) suggestions[name] = reading.suggestion;
    if (reading.kind === "problem") problems[name] = reading.problem;
  }
  // A field that the rest of the input rules out is dropped.
  const present = presentFields(command.fields, input).map(([name]) => name);
  const keep = <V>(entries: Record<string, V>) =>
    Object.fromEntries(
      Object.entries(entries)
        .filter(([name]) => present.includes(name))
        .sort(([one], [other]) => present.indexOf(one) - present.indexOf(other)),
    );
  const read = { input: keep(input), problems: keep(problems), suggestions: keep(suggestions) };
  return meanings ? { ...read, meanings } : read;
}

/** Resource ids come last: the meaning of a group's name depends on the given type and project. */
function inReadingOrder({ fields }: Command): readonly (readonly [string, Field])[] {
  const isOfResources = ([, { kind }]: readonly [string, Field]) => kind === "resource-ids";
  const entries = Object.entries(fields);
  return [...entries.filter((entry) => !isOfResources(entry)), ...entries.filter(isOfResources)];
}

/** Adds the values that the command derives from the given ones. */
export async function complete(
  command: Command,
  { suggestions, ...read }: Omit<FieldsRead, "missing"> & { readonly suggestions?: Readonly<Record<string, string>> },
  context: CommandContext,
): Promise<FieldsRead> {
  const derived = "complete" in command ? await command.complete?.(read.input, context) : undefined;
  // A given value is never replaced, even if it could not be read.
  const fitting = Object.entries(derived ?? {}).filter(([name]) => !(name in read.problems));
  const input = { ...Object.fromEntries(fitting), ...read.input };
  const missing = missingFields(command.fields, input).filter((name) => !(name in read.problems));
  const lacksDerivable = missing.some((name) => command.fields[name]?.derivedFrom !== undefined);
  return { ...read, input, missing, problems: lacksDerivable ? { ...suggestions, ...read.problems } : read.problems };
}

function textOf(words: readonly Word[] | undefined): string {
  return (words ?? []).map((word) => word.value).join(" ");
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
