import type { ListField } from "../../../commands/field.ts";
import { cut } from "../../messages/message.ts";
import { type FieldKind, inputActionId, missing, type Reading, value } from "../field-kind.ts";

export const listKind: FieldKind<ListField> = {
  usage: ({ label }) => `<${label.toLowerCase()},…>`,
  example: () => "eu-west-1,eu-west-2",
  fromLine: async (_field, words) => read(words.map((word) => word.value).join(" ")),
  draw: async (_field, { value: words, typed }) => {
    const text = Array.isArray(words) ? words.join(", ") : (typed ?? "");
    return {
      type: "plain_text_input",
      action_id: inputActionId,
      ...(text ? { initial_value: cut(text, 3000) } : {}),
    };
  },
  fromState: async (_field, state) => read(state.value ?? ""),
};

function read(text: string): Reading {
  const words = [...new Set(text.split(/[\s,;]+/).filter(Boolean))];
  return words.length ? value(words) : missing;
}
