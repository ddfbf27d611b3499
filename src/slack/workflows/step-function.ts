import { fieldsOfStep, type StepCommand } from "../../commands/catalogue.ts";
import type { Field } from "../../commands/field.ts";

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
