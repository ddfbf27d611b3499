import type { SwitchField } from "../../../commands/field.ts";
import { type FieldKind, inputActionId, missing, plainText, problem, type Reading, value } from "../field-kind.ts";

/** On a line the flag alone means yes. */
export const switchKind: FieldKind<SwitchField> = {
  usage: () => "",
  example: () => "",
  fromLine: async (_field, words) => read(words.map((word) => word.value).join(" ")),
  draw: async ({ label }, { value: isOn }) => {
    const option = { text: plainText(label), value: "yes" };
    return {
      type: "checkboxes",
      action_id: inputActionId,
      options: [option],
      ...(isOn === true ? { initial_options: [option] } : {}),
    };
  },
  fromState: async (_field, { selected_options }) => (selected_options?.length ? value(true) : missing),
};

function read(typed: string): Reading {
  const text = typed.trim();
  if (/^(?:|yes|true|on)$/i.test(text)) return value(true);
  return /^(?:no|false|off)$/i.test(text) ? missing : problem(`“${text}” is neither yes nor no.`);
}
