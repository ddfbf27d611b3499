import type { TimeField } from "../../../commands/field.ts";
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
  const clock = /^([01]?\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?$/.exec(text.trim()) ?? halfDay(text.trim());
  if (!clock) return problem(`“${text.trim()}” is not a time of day such as 19:00 or 7pm.`);
  const [, hour = "", minute = "", second = "00"] = clock;
  return value(`${hour.padStart(2, "0")}:${minute}:${second}`);
}

/** "7am", "7:30 pm". */
function halfDay(text: string): readonly string[] | undefined {
  const [, hour, minute = "00", half] = /^(1[0-2]|[1-9])(?::([0-5]\d))?\s*([ap])\.?m\.?$/i.exec(text) ?? [];
  if (hour === undefined || half === undefined) return undefined;
  return [text, String((Number(hour) % 12) + (half.toLowerCase() === "p" ? 12 : 0)), minute];
}
