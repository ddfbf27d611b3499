import {
  readRecurrenceValue,
  recurrenceText,
  recurrenceWords,
} from "../../../commands/exclusion/planned/recurrence-words.ts";
import type { RecurrenceField } from "../../../commands/field.ts";
import { readRecurrence } from "../../../language/read-recurrence.ts";
import { cut, limits } from "../../messages/message.ts";
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

/** When something comes again, in the words of a line. */
export const recurrenceKind: FieldKind<RecurrenceField> = {
  usage: () => "every …",
  example: () => `every ${example}`,
  fromLine: async (_field, words, context) => read(words.map((word) => word.value).join(" "), context),
  draw: async (_field, { value: shown, typed }, { actor }) => {
    const known = readRecurrenceValue(shown);
    const text = known ? recurrenceText(known, actor.timeZone) : (typed ?? "");
    return {
      type: "plain_text_input",
      action_id: inputActionId,
      max_length: maxText,
      placeholder: plainText(example),
      ...(text ? { initial_value: cut(text, maxText) } : {}),
    };
  },
  fromState: async (_field, state, context) => read(state.value ?? "", context),
};

const example = "thu 18:00-22:00 until 2026-12-31";
const maxText = 300;

function read(text: string, context: ReadingContext): Reading {
  if (text.length > maxText)
    return problem(`At most ${maxText} characters are allowed. Write it like “every ${example}”.`);
  const words = text
    .trim()
    .replace(/^every\s+/i, "")
    .split(/\s+/)
    .filter(Boolean);
  if (words.length === 0) return missing;
  const found = readRecurrence(words, timeContextOf(context));
  if (found.kind === "recurrence") return value(found.recurrence);
  if (!found.instead) return problem(found.reason);
  const shown = recurrenceWords(found.instead, context.actor.timeZone);
  const label = `${shown.charAt(0).toUpperCase()}${shown.slice(1)}`;
  return {
    kind: "choice",
    text: found.reason,
    options: [{ label: cut(label, limits.buttonText), value: found.instead }],
  };
}
