import type { DaysField } from "../../../commands/field.ts";
import { dayWords } from "../../../commands/schedule-facts.ts";
import { readDays } from "../../../language/day-list.ts";
import { cut } from "../../messages/message.ts";
import { type FieldKind, inputActionId, missing, plainText, problem, type Reading, value } from "../field-kind.ts";

/** Days of the week, as people write them. */
export const daysKind: FieldKind<DaysField> = {
  usage: () => "<Mon-Fri|…>",
  example: () => "Mon-Fri",
  fromLine: async (_field, words) => read(words.map((word) => word.value).join(" ")),
  draw: async (_field, { value: days, typed }) => {
    const text = Array.isArray(days) ? dayWords(days.map(String)) : (typed ?? "");
    return {
      type: "plain_text_input",
      action_id: inputActionId,
      max_length: maxText,
      placeholder: plainText("Mon–Fri"),
      ...(text ? { initial_value: cut(text, maxText) } : {}),
    };
  },
  fromState: async (_field, state) => read(state.value ?? ""),
};

const maxText = 200;

function read(text: string): Reading {
  if (text.trim() === "") return missing;
  const found = readDays(text);
  if ("unknown" in found)
    return problem(`“${found.unknown}” is not a day. Write them like Mon–Fri, weekends, daily, or Mon, Wed, Fri.`);
  return found.days.length > 0 ? value(found.days) : missing;
}
