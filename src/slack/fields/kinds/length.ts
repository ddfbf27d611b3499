import type { LengthField } from "../../../commands/field.ts";
import { readLength } from "../../../language/time-words/lengths.ts";
import { timeWords } from "../../../language/time-words/words.ts";
import { formatDuration, parseDuration } from "../../../time/duration.ts";
import { cut } from "../../messages/message.ts";
import { type FieldKind, inputActionId, missing, plainText, problem, type Reading, value } from "../field-kind.ts";

/** A length of time, in ms. */
export const lengthKind: FieldKind<LengthField> = {
  usage: () => "<8h>",
  example: () => "8h",
  fromLine: async (_field, words) => {
    const typed = words.flatMap((word) => word.value.split(/\s+/)).filter(Boolean);
    const said = readLength(timeWords(typed), 0);
    const isWhole = said?.end === typed.length && said.months === 0 && said.reading.kind === "duration";
    return isWhole && said.reading.kind === "duration" ? value(said.reading.ms) : read(typed.join(" "));
  },
  draw: async (_field, { value: ms, typed }) => {
    const text = typeof ms === "number" ? formatDuration(ms) : (typed ?? "");
    return {
      type: "plain_text_input",
      action_id: inputActionId,
      max_length: maxText,
      placeholder: plainText("8h"),
      ...(text ? { initial_value: cut(text, maxText) } : {}),
    };
  },
  fromState: async (_field, state) => read(state.value ?? ""),
};

const maxText = 100;

function read(text: string): Reading {
  if (text.trim() === "") return missing;
  const length = parseDuration(text);
  return length.kind === "duration" ? value(length.ms) : problem(length.reason);
}
