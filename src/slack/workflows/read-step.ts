import { z } from "zod";
import type { Said } from "../../changes/receipts.ts";
import type { StepCommand } from "../../commands/catalogue.ts";
import { optionalText } from "../optional-text.ts";
import { inputsOf, type StepInput } from "./step-function.ts";

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
