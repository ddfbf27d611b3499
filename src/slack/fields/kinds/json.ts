import { z } from "zod";
import type { JsonField } from "../../../commands/field.ts";
import { cut } from "../../messages/message.ts";
import { type FieldKind, inputActionId, missing, problem, type Reading, value } from "../field-kind.ts";

export const jsonKind: FieldKind<JsonField> = {
  usage: ({ list }) => (list ? "'[{…},…]'" : "'{…}'"),
  example: ({ list }) => (list ? "'[{}]'" : "'{}'"),
  fromLine: async (field, words) => read(field, words.map((word) => word.value).join(" ")),
  draw: async (_field, { value: object, typed }) => {
    const text = object === undefined ? (typed ?? "") : JSON.stringify(object, null, 2);
    return {
      type: "plain_text_input",
      action_id: inputActionId,
      multiline: true,
      ...(text ? { initial_value: cut(text, 3000) } : {}),
    };
  },
  fromState: async (field, state) => read(field, state.value ?? ""),
};

const object = z.record(z.string(), z.unknown());

/** Indentation grows with each level: written out, a short text could become megabytes. */
const maxDepth = 20;

function isDeeper(json: unknown, levels: number): boolean {
  if (typeof json !== "object" || json === null) return false;
  return levels === 0 || Object.values(json).some((inner) => isDeeper(inner, levels - 1));
}

function read({ list }: JsonField, text: string): Reading {
  if (text.trim() === "") return missing;
  try {
    const parsed = (list ? z.array(object) : object).safeParse(JSON.parse(text));
    if (parsed.success && isDeeper(parsed.data, maxDepth)) return problem("This is nested too deeply to be read.");
    if (parsed.success) return value(parsed.data);
    return problem(
      list ? "This must be a list of JSON objects, in brackets." : "This must be a JSON object, in braces.",
    );
  } catch {
    return problem("This is not JSON: look for a missing quote, comma, bracket or brace.");
  }
}
