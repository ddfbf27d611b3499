import type { Field } from "../../../src/commands/field.ts";
import { initialState, validateView } from "../../../src/sandbox/workspace/blocks.ts";
import { isJsonObject } from "../../../src/sandbox/workspace/json-object.ts";
import {
  plainText,
  type Reading,
  type ReadingContext,
  type Shown,
  stateValue,
} from "../../../src/slack/fields/field-kind.ts";
import { kindOf } from "../../../src/slack/fields/kind-of.ts";
import { aReadingContext, words } from "../build.ts";

export const untouched: Shown = { value: undefined, typed: undefined };

/** The field as an input of a form. */
export async function drawInput(field: Field, shown: Partial<Shown> = {}, context: ReadingContext = aReadingContext()) {
  const element = await kindOf(field).draw(field, { ...untouched, ...shown }, context);
  return { type: "input", block_id: "field", label: plainText("Label"), element };
}

/** The problems that the strict workspace finds in the field's form. */
export async function problemsOf(field: Field, shown: Partial<Shown> = {}): Promise<readonly string[]> {
  const blocks = [await drawInput(field, shown)];
  return validateView({ type: "modal", title: plainText("Form"), submit: plainText("Send"), blocks });
}

/** The value read from a form that is sent as it was drawn. */
export async function sendUntouched(field: Field, shown: Partial<Shown> = {}): Promise<Reading> {
  const block: unknown = JSON.parse(JSON.stringify(await drawInput(field, shown)));
  const [state] = Object.values(initialState(isJsonObject(block) ? [block] : []).field ?? {});
  return kindOf(field).fromState(field, stateValue.parse(state), aReadingContext());
}

export function readLine(
  field: Field,
  typed: readonly string[],
  facts: Partial<ReadingContext> = {},
): Promise<Reading> {
  return kindOf(field).fromLine(field, words(...typed), aReadingContext(facts));
}

export function readState(field: Field, state: object, facts: Partial<ReadingContext> = {}): Promise<Reading> {
  return kindOf(field).fromState(field, stateValue.parse(state), aReadingContext(facts));
}

/** The initial value of an element. */
export async function startOf(field: Field, shown: Partial<Shown>): Promise<unknown> {
  const { element } = await drawInput(field, shown);
  const initial = Object.entries(element).filter(([key]) => key.startsWith("initial_"));
  return Object.fromEntries(initial);
}
