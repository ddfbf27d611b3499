import { z } from "zod";
import type { Said } from "../../changes/receipts.ts";
import { fieldsOfStep, type StepCommand } from "../../commands/catalogue.ts";
import type { Field } from "../../commands/field.ts";
import { optionalText } from "../optional-text.ts";

/** The types of a step's parameters (PLATFORM.md §15.2). */
type ParameterType = "string" | "integer" | "boolean" | "slack#/types/user_id" | "slack#/types/timestamp";

export interface Parameter {
  readonly type: ParameterType;
  readonly title: string;
  readonly description: string;
  readonly is_required: boolean;
}

export interface StepInput extends Parameter {
  readonly name: string;
  readonly field: string;
}

/** The entry of a step in the manifest's `functions`. */
export interface StepFunction {
  readonly title: string;
  readonly description: string;
  readonly input_parameters: Readonly<Record<string, Parameter>>;
  readonly output_parameters: Readonly<Record<string, Parameter>>;
}

export function stepFunction(command: StepCommand): StepFunction {
  const inputs = inputsOf(command).map(({ name, field: _field, ...parameter }) => [name, parameter] as const);
  return {
    title: command.step.title,
    description: `${command.summary}.`,
    input_parameters: Object.fromEntries(inputs),
    output_parameters: outputsOf(command),
  };
}

/** A field that can be given in two ways has two inputs, and either will do. */
export function inputsOf(command: StepCommand): readonly StepInput[] {
  return fieldsOfStep(command).flatMap(([field, declared]) => {
    const ways = waysToGive(declared);
    const isNeeded = !declared.optional && declared.derivedFrom === undefined;
    return ways.map(({ suffix, type, title, says }) => ({
      ...{ name: `${snakeCase(field)}${suffix}`, field, type, title: `${declared.label}${title}` },
      description: descriptionOf(says ?? declared.hint ?? declared.label),
      is_required: isNeeded && ways.length === 1,
    }));
  });
}

const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const descriptionOf = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);

interface Way {
  readonly suffix: string;
  readonly type: ParameterType;
  readonly title: string;
  readonly says?: string;
}

const asText: Way = { suffix: "", type: "string", title: "" };

function waysToGive(field: Field): readonly Way[] {
  switch (field.kind) {
    case "moment":
    case "extension":
      return [
        { ...asText, says: "A length or a time, such as “2h”, “until 18:00” or “tonight”" },
        {
          suffix: "_time",
          type: "slack#/types/timestamp",
          title: " (date and time)",
          says: "Instead of words, a date",
        },
      ];
    case "reference":
      return field.to === "user"
        ? [
            asText,
            {
              suffix: "_in_slack",
              type: "slack#/types/user_id",
              title: " (in Slack)",
              says: "Instead, by their Slack profile",
            },
          ]
        : [asText];
    case "person":
      return [{ ...asText, type: "slack#/types/user_id" }];
    case "number":
      return [{ ...asText, type: "integer" }];
    case "switch":
      return [{ ...asText, type: "boolean" }];
    default:
      return [asText];
  }
}

const outputs = {
  change_id: { type: "string", title: "Change", description: "The id of the change in Curfew." },
  exclusion_id: { type: "string", title: "Exclusion", description: "The id of the exclusion in the service." },
  ends_at: { type: "slack#/types/timestamp", title: "End", description: "When the exclusion ends." },
  outcome: { type: "string", title: "Outcome", description: "What happened, in words." },
} as const;

/** What a step gives to the next ones. Only the words are always there. */
function outputsOf(command: StepCommand): StepFunction["output_parameters"] {
  const isChange = command.kind === "change";
  const names = [
    ...(isChange ? (["change_id"] as const) : []),
    ...(isChange && command.about === "exclusion" ? (["exclusion_id", "ends_at"] as const) : []),
    "outcome" as const,
  ];
  return Object.fromEntries(names.map((name) => [name, { ...outputs[name], is_required: name === "outcome" }]));
}

/** The used parts of a `function_executed` event (PLATFORM.md §18.1). Its token is not read: it is for this execution only. */
const stepEvent = z.looseObject({
  function: z.looseObject({ callback_id: z.string() }),
  inputs: z.record(z.string(), z.unknown()).nullish(),
  function_execution_id: z.string().regex(/^Fx\w{1,100}$/),
});
const stepBody = z.looseObject({ team_id: optionalText });

/** A step of a workflow that is to be done. */
export interface StepToDo {
  readonly executionId: string;
  /** Its name in the manifest. */
  readonly name: string;
  readonly inputs: Readonly<Record<string, unknown>>;
  /** The workspace of the workflow; "unknown" if Slack does not name it. */
  readonly teamId: string;
}

export function readStep(body: unknown, event: unknown): StepToDo | undefined {
  const [read, whole] = [stepEvent.safeParse(event).data, stepBody.safeParse(body).data];
  if (!read) return undefined;
  const { function: called, inputs, function_execution_id: executionId } = read;
  return { executionId, name: called.callback_id, inputs: inputs ?? {}, teamId: whole?.team_id ?? "unknown" };
}

type Inputs = { readonly kind: "said"; readonly said: Said } | { readonly kind: "problem"; readonly problem: string };

/** The words of each field, as a line would have them. Each input is one value: no word of it can be a flag or another field. */
export function readInputs(command: StepCommand, inputs: StepToDo["inputs"]): Inputs {
  const parts: Record<string, Said["parts"][string]> = {};
  const sets: Record<string, unknown> = { ...command.step.sets };
  const given = new Map<string, StepInput>();
  for (const input of inputsOf(command)) {
    const { name, field, title } = input;
    const value = inputs[name];
    if (value === undefined || value === null || value === "" || value === false) continue;
    const other = given.get(field);
    if (other) return problem(`Give “${other.title}” or “${title}”, not both.`);
    given.set(field, input);
    const read = readValue(input, value);
    if (read === undefined) return problem(`“${title}” is not of the type that this step takes.`);
    if ("word" in read) parts[field] = [{ value: read.word, isQuoted: true }];
    else sets[field] = command.fields[field]?.kind === "extension" ? { until: read.value } : read.value;
  }
  return { kind: "said", said: { parts, sets } };
}

const problem = (text: string): Inputs => ({ kind: "problem", problem: `${text} Nothing was changed.` });

type Value = { readonly word: string } | { readonly value: number | true };

/** More than any field takes. */
const maxLength = 4000;
const maxSeconds = 1e10;

function readValue({ type }: StepInput, value: unknown): Value | undefined {
  switch (type) {
    case "string":
      return typeof value === "string" && value.length <= maxLength ? { word: value } : undefined;
    case "slack#/types/user_id":
      return typeof value === "string" && /^[UW][A-Z0-9]{1,30}$/.test(value) ? { word: `<@${value}>` } : undefined;
    case "slack#/types/timestamp":
      return typeof value === "number" && value > 0 && value < maxSeconds
        ? { value: Math.floor(value) * 1000 }
        : undefined;
    case "integer":
      return Number.isInteger(value) ? { word: String(value) } : undefined;
    case "boolean":
      return value === true ? { value } : undefined;
  }
}
