import type { Command, FillContext } from "../../commands/command.ts";
import type { Field, Input } from "../../commands/field.ts";
import { missingFields } from "../../commands/field-values.ts";
import type { Word } from "../../language/tokenize.ts";
import type { Meanings } from "../forms/form-meta.ts";
import { limits } from "../messages/text.ts";
import {
  asWords,
  blockIn,
  type Choice,
  type NewNames,
  problem,
  type Reading,
  type ReadingContext,
  stateValue,
} from "./field-kind.ts";
import { kindOf } from "./kind-of.ts";
import { directoryFor } from "./kinds/reference.ts";

/** The input read from a line or a form, with the problems and the missing fields. */
export interface FieldsRead {
  readonly input: Input;
  readonly problems: Readonly<Record<string, string>>;
  /** Questions with ready answers, by field. A field with a question is not missing. */
  readonly choices: Readonly<Record<string, Choice>>;
  /** The typed words of fields that could not be read. */
  readonly typed: Readonly<Record<string, string>>;
  readonly missing: readonly string[];
  /** The values that nobody gave: they follow from the others. */
  readonly derived: readonly string[];
  /** The meanings of words that may change later, such as names of groups. */
  readonly meanings?: Meanings;
  /** What was assumed about a value, in words for its requester. */
  readonly assumed?: readonly string[];
  /** A moment that was less likely meant, in epoch ms. */
  readonly instead?: number | undefined;
  /** Names of resources that Curfew sees for the first time. */
  readonly newNames?: NewNames | undefined;
}

/** Reads each field from its words on a line, then lets the command derive the rest. `sets`: values that the line gives without a word for them. */
export async function readParts(
  command: Command,
  parts: ReadonlyMap<string, readonly Word[]>,
  context: ReadingContext,
  sets: Input = {},
): Promise<FieldsRead> {
  const readOne = async (name: string, field: Field, within: ReadingContext): Promise<Reading> => {
    const words = parts.get(name);
    if (words) return kindOf(field).fromLine(field, words, within);
    return name in sets ? { kind: "value", value: sets[name] } : { kind: "missing" };
  };
  const read = await readEach(command, context, readOne, parts);
  const unread = Object.keys({ ...read.problems, ...read.choices });
  const typed = unread.map((name) => [name, (parts.get(name) ?? []).map((word) => word.value).join(" ")]);
  return complete(command, { ...read, typed: Object.fromEntries(typed) }, context);
}

/**
 * Reads each field from a form's `state.values` (PLATFORM.md §7.6), keyed by block id. `fixed`: the values that the form does not ask
 * for. `otherwise`: those that count while an input is empty.
 */
export async function readState(
  command: Command,
  values: unknown,
  context: ReadingContext,
  fixed: Input = {},
  otherwise: Input = {},
): Promise<FieldsRead> {
  const blocks = new Map(Object.entries(isObject(values) ? values : {}));
  const typed: Record<string, string> = {};
  const read = await readEach(command, context, async (name, field, within) => {
    if (name in fixed) return { kind: "value", value: fixed[name] };
    const block = blocks.get(blockIn(values, command, name) ?? "");
    const sent: unknown = isObject(block) ? Object.values(block)[0] : undefined;
    if (isTooLong(sent)) return problem(tooLong);
    const state = stateValue.safeParse(sent);
    const reading: Reading = state.success
      ? await kindOf(field).fromState(field, state.data, within)
      : { kind: "missing" };
    const words = state.data?.value;
    // A redrawn form must not put a select or a picker in place of words that are not read yet.
    if (words && (isTimed(field) || (field.kind === "reference" && reading.kind !== "value"))) typed[name] = words;
    return reading.kind === "missing" && name in otherwise ? { kind: "value", value: otherwise[name] } : reading;
  });
  const whole = await complete(command, { ...read, typed }, context);
  // What the typed words imply is implied again whenever the form is read.
  const derived = [...whole.derived, ...Object.keys(read.implied ?? {}).filter((name) => !(name in read.input))];
  return choicesAsProblems({ ...whole, derived });
}

const isTimed = ({ kind }: Field): boolean => kind === "moment" || kind === "extension" || kind === "time";

/** A form has no buttons for the answers, so it shows each question as a problem. */
export function choicesAsProblems({ choices, ...read }: FieldsRead): FieldsRead {
  const questions = Object.entries(choices).map(([name, choice]) => [name, withOptions(choice)]);
  return { ...read, choices: {}, problems: { ...read.problems, ...Object.fromEntries(questions) } };
}

function withOptions({ text, options }: Choice): string {
  const labels = options.map(({ label }) => label);
  return labels.every((label) => text.includes(label)) ? text : `${text} It could be ${labels.join(" or ")}.`;
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
  said: ReadonlyMap<string, unknown> = new Map(),
): Promise<PartlyRead> {
  const input: Record<string, unknown> = {};
  const all = new Map<string, Reading>();
  for (const [name, field] of inReadingOrder(command)) {
    const directory = directoryFor(field, input, context.directory);
    const reading = await readOne(name, field, { ...context, command, given: { ...input }, directory });
    all.set(name, reading);
    if (reading.kind === "value") input[name] = reading.value;
  }
  // A field that the rest of the input rules out is dropped, unless a line says it: then the command answers.
  const present = Object.entries(command.fields).flatMap(([name, { when }]) => {
    const reading = all.get(name);
    return reading && (said.has(name) || !when || when(input)) ? [[name, reading] as const] : [];
  });
  const values = present.flatMap(([name, reading]) => (reading.kind === "value" ? [[name, reading] as const] : []));
  const { meanings, newNames, implied } =
    values.map(([, value]) => value).findLast((value) => value.meanings || value.newNames || value.implied) ?? {};
  return {
    input: Object.fromEntries(values.map(([name, { value }]) => [name, value])),
    problems: Object.fromEntries(
      present.flatMap(([name, reading]) => (reading.kind === "problem" ? [[name, reading.problem]] : [])),
    ),
    choices: Object.fromEntries(
      present.flatMap(([name, reading]) => (reading.kind === "choice" ? [[name, reading]] : [])),
    ),
    suggestions: Object.fromEntries(
      values.flatMap(([name, { suggestion }]) => (suggestion ? [[name, suggestion]] : [])),
    ),
    assumed: values.flatMap(([, { assumed }]) => assumed ?? []),
    instead: values.findLast(([, { instead }]) => instead !== undefined)?.[1].instead,
    ...(meanings ? { meanings } : {}),
    newNames,
    implied,
  };
}

interface PartlyRead extends Omit<FieldsRead, "missing" | "derived" | "typed" | "choices"> {
  readonly choices?: FieldsRead["choices"];
  readonly suggestions?: Readonly<Record<string, string>>;
  /** Values that follow from what was typed for another field. */
  readonly implied?: Input | undefined;
}

/**
 * What holds (`process`) goes before the times that follow from it; the meaning of a group's name depends on the given type and project,
 * and times, which may count from their schedule, on the resources.
 */
function inReadingOrder({ fields }: Command): readonly (readonly [string, Field])[] {
  const order = ({ kind }: Field) => ({ choice: 0, "resource-ids": 2, moment: 3, recurrence: 4 })[kind as string] ?? 1;
  return Object.entries(fields).toSorted(([, one], [, other]) => order(one) - order(other));
}

/** What is wrong with typed words, for a form that shows both. */
export async function readTyped(
  command: Command,
  typed: Readonly<Record<string, string>>,
  context: ReadingContext,
): Promise<Pick<FieldsRead, "typed" | "problems">> {
  const problems: Record<string, string> = {};
  for (const [name, text] of Object.entries(typed)) {
    const field = command.fields[name];
    const reading = field && (await kindOf(field).fromLine(field, asWords(text), context));
    if (reading?.kind === "problem") problems[name] = reading.problem;
    if (reading?.kind === "choice") problems[name] = withOptions(reading);
  }
  return { typed, problems };
}

/** Adds the values that the command derives from the given ones. */
export async function complete(
  command: Command,
  { suggestions, implied, choices = {}, ...read }: PartlyRead & Pick<FieldsRead, "typed">,
  context: FillContext,
): Promise<FieldsRead> {
  // A given value is never replaced, even if it could not be read.
  const isOpen = (name: string): boolean => !(name in read.problems || name in choices);
  const fitting = (values: Input = {}): Input =>
    Object.fromEntries(Object.entries(values).filter(([name]) => isOpen(name)));
  const given = { ...fitting(implied), ...read.input };
  const derived = "complete" in command ? await command.complete?.(given, context) : undefined;
  const input = { ...fitting(derived), ...given };
  const names = Object.keys(input).filter((name) => !(name in given));
  const missing = missingFields(command.fields, input).filter(isOpen);
  const lacksDerivable = missing.some((name) => command.fields[name]?.derivedFrom !== undefined);
  const problems = lacksDerivable ? { ...suggestions, ...read.problems } : read.problems;
  return { ...read, input, derived: names, missing, problems, choices };
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
