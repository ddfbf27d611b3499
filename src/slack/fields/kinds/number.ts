import type { NumberField } from "../../../commands/field.ts";
import { type FieldKind, inputActionId, missing, problem, type Reading, value } from "../field-kind.ts";

export const numberKind: FieldKind<NumberField> = {
  usage: ({ label }) => `<${label.toLowerCase()}>`,
  example: ({ minimum }) => String(minimum),
  fromLine: async (field, words) => read(field, words.map((word) => word.value).join(" ")),
  // Typed text that is not such a number is not drawn: Slack would refuse the form (PLATFORM.md §8.4).
  draw: async ({ minimum, maximum }, { value: number }) => ({
    type: "number_input",
    action_id: inputActionId,
    is_decimal_allowed: false,
    min_value: String(minimum),
    ...(maximum === undefined ? {} : { max_value: String(maximum) }),
    ...(typeof number === "number" ? { initial_value: String(number) } : {}),
  }),
  fromState: async (field, state) => read(field, state.value ?? ""),
};

function read({ minimum, maximum }: NumberField, text: string): Reading {
  if (text.trim() === "") return missing;
  const number = /^\d{1,9}$/.test(text.trim()) ? Number(text) : Number.NaN;
  if (number >= minimum && number <= (maximum ?? number)) return value(number);
  const range = maximum === undefined ? `of at least ${minimum}` : `from ${minimum} to ${maximum}`;
  return problem(`“${text.trim()}” is not a whole number ${range}.`);
}
