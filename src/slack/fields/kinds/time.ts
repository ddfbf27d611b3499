import type { TimeField } from "../../../commands/field.ts";
import { readClock } from "../../../time/wall-clock.ts";
import { type FieldKind, inputActionId, missing, problem, type Reading, value } from "../field-kind.ts";

export const timeKind: FieldKind<TimeField> = {
  usage: () => "<HH:MM>",
  example: () => "19:00",
  fromLine: async (_field, words) => read(words.map((word) => word.value).join(" ")),
  draw: async (_field, { value: time }) => ({
    type: "timepicker",
    action_id: inputActionId,
    ...(typeof time === "string" && /^\d\d:\d\d/.test(time) ? { initial_time: time.slice(0, 5) } : {}),
  }),
  fromState: async (_field, state) => read(state.selected_time ?? ""),
};

function read(text: string): Reading {
  if (text.trim() === "") return missing;
  const clock = readClock(text);
  if (!clock) return problem(`“${text.trim()}” is not a time of day such as 19:00 or 7pm.`);
  const { hour, minute, second } = clock;
  return value([hour, minute, second].map((number) => String(number).padStart(2, "0")).join(":"));
}
