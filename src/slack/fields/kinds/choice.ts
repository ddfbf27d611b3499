import type { ChoiceField, Option } from "../../../commands/field.ts";
import { nearestWord } from "../../../language/nearest-word.ts";
import { type FieldKind, inputActionId, missing, plainText, problem, type Reading, value } from "../field-kind.ts";

export const choiceKind: FieldKind<ChoiceField> = {
  usage: ({ options, multiple }) =>
    multiple || options.length > 4
      ? `<${options[0]?.value ?? ""}${multiple ? "," : "|"}…>`
      : options.map((option) => option.value).join("|"),
  example: ({ options }) => options[0]?.value ?? "",
  fromLine: async (field, words) => read(field, words.flatMap((word) => word.value.split(",")).filter(Boolean)),
  draw: async (field, { value: chosen }) => (field.multiple ? drawSeveral(field, chosen) : drawOne(field, chosen)),
  fromState: async (field, { selected_option, selected_options }) =>
    read(
      field,
      (selected_options ?? (selected_option ? [selected_option] : [])).map((option) => option.value),
    ),
};

function read({ options, multiple }: ChoiceField, words: readonly string[]): Reading {
  if (words.length === 0) return missing;
  const chosen: string[] = [];
  for (const word of words) {
    const option = find(options, word);
    if (!option) return problem(unknown(options, word));
    chosen.push(option.value);
  }
  if (multiple) return value([...new Set(chosen)]);
  return chosen.length === 1 ? value(chosen[0]) : problem(`Choose only one of ${list(options)}.`);
}

function find(options: readonly Option[], word: string): Option | undefined {
  const text = word.trim().toLowerCase();
  return options.find((option) => option.value.toLowerCase() === text || option.label.toLowerCase() === text);
}

function unknown(options: readonly Option[], word: string): string {
  const near = nearestWord(
    word.toLowerCase(),
    options.map((option) => option.value),
  );
  return `“${word}” is not one of ${list(options)}.${near ? ` Did you mean “${near.word}”?` : ""}`;
}

function list(options: readonly Option[]): string {
  return options.map((option) => option.value).join(", ");
}

function drawOne({ options, initial }: ChoiceField, chosen: unknown) {
  const drawn = options.map(drawOption);
  const start = drawn.find((option) => option.value === (chosen ?? initial));
  const element = { action_id: inputActionId, options: drawn, ...(start ? { initial_option: start } : {}) };
  // Radio buttons show every option; Slack allows ten (PLATFORM.md §8.4).
  return options.length <= 5
    ? ({ type: "radio_buttons", ...element } as const)
    : ({ type: "static_select", ...element, placeholder: plainText("Choose one") } as const);
}

function drawSeveral({ options }: ChoiceField, chosen: unknown) {
  const drawn = options.map(drawOption);
  const start = drawn.filter((option) => Array.isArray(chosen) && chosen.includes(option.value));
  const element = { type: "checkboxes", action_id: inputActionId, options: drawn } as const;
  return start.length ? { ...element, initial_options: start } : element;
}

function drawOption({ label, value: chosen }: Option) {
  return { text: plainText(label), value: chosen };
}
