import type { SpanField } from "../../../commands/field.ts";
import { longestSpan } from "../../../commands/field-values.ts";
import { findSpan } from "../../../language/periods/read-span.ts";
import { cut } from "../../messages/message.ts";
import {
  type FieldKind,
  inputActionId,
  missing,
  plainText,
  problem,
  type Reading,
  type ReadingContext,
  value,
} from "../field-kind.ts";
import { timeContextOf } from "./moment.ts";

/** The time that a question is about, in the words of a line. */
export const spanKind: FieldKind<SpanField> = {
  usage: () => "<day or time>",
  example: () => "tonight",
  fromLine: async (_field, words, context) => read(words.map((word) => word.value).join(" "), context),
  draw: async (_field, { value: shown, typed }) => {
    const text = typeof shown === "object" && shown !== null && "said" in shown ? String(shown.said) : (typed ?? "");
    return {
      type: "plain_text_input",
      action_id: inputActionId,
      max_length: longestSpan,
      placeholder: plainText("tonight, monday, 25 december, last night"),
      ...(text ? { initial_value: cut(text, longestSpan) } : {}),
    };
  },
  fromState: async (_field, state, context) => read(state.value ?? "", context),
};

function read(text: string, context: ReadingContext): Reading {
  const words = text.split(/\s+/).filter(Boolean);
  // The command took “next” as its own name.
  const said = words.join(" ").replace(/^(?=week\b)/i, "next ");
  if (said === "") return missing;
  const found = findSpan(words, timeContextOf(context));
  if (found?.start !== 0 || found.end < words.length || said.length > longestSpan || found.spans.length === 0)
    return problem(
      `I could not read “${cut(said, longestSpan)}” as a time. Write it like tonight, monday or 25 december.`,
    );
  return value({ said, spans: found.spans });
}
