import type { ZoneField } from "../../../commands/field.ts";
import { describeZone, ianaZone, nearestZone } from "../../../time/zone.ts";
import { cut } from "../../messages/message.ts";
import { type FieldKind, inputActionId, missing, plainText, problem, type Reading, value } from "../field-kind.ts";

export const zoneKind: FieldKind<ZoneField> = {
  usage: () => "<zone>",
  example: () => "Europe/London",
  fromLine: async (_field, words) => read(words.map((word) => word.value).join(" ")),
  draw: async (_field, { value: zone, typed }, { actor, now }) => ({
    type: "plain_text_input",
    action_id: inputActionId,
    placeholder: plainText(cut(`For example ${describeZone(actor.timeZone, now)}`, 150)),
    max_length: 100,
    ...(typeof zone === "string" || typed ? { initial_value: cut(String(zone ?? typed), 100) } : {}),
  }),
  fromState: async (_field, state) => read(state.value ?? ""),
};

/** Kept as given: the command decides which kind of id the service gets. */
function read(text: string): Reading {
  const id = text.trim();
  if (id === "") return missing;
  if (ianaZone(id)) return value(id);
  const near = nearestZone(id);
  return problem(
    `“${id}” is not a time zone.${near ? ` Did you mean ${near}?` : " Give an id such as Europe/Berlin."}`,
  );
}
