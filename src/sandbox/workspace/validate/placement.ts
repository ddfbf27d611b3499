import { elementRules, modalInputRules } from "./element-rules.ts";
import { byType, type Rule } from "./rule.ts";

export type Surface = "message" | "modal" | "home";
export type Place = "accessory" | "actions" | "input";

const anywhere: readonly Place[] = ["accessory", "actions", "input"];
const buttonPlaces: readonly Place[] = ["accessory", "actions"];
const inputOnly: readonly Place[] = ["input"];

/** Where each element is allowed (PLATFORM.md §8.3). Images are also allowed in `context`. */
const placesOf: Readonly<Record<keyof typeof elementRules, readonly Place[]>> = {
  button: buttonPlaces,
  checkboxes: anywhere,
  datepicker: anywhere,
  datetimepicker: ["actions", "input"],
  timepicker: anywhere,
  email_text_input: inputOnly,
  url_text_input: inputOnly,
  number_input: inputOnly,
  plain_text_input: inputOnly,
  file_input: inputOnly,
  rich_text_input: ["actions", "input"],
  image: ["accessory"],
  static_select: anywhere,
  external_select: anywhere,
  users_select: anywhere,
  conversations_select: anywhere,
  channels_select: anywhere,
  multi_static_select: anywhere,
  multi_external_select: anywhere,
  multi_users_select: anywhere,
  multi_conversations_select: anywhere,
  multi_channels_select: anywhere,
  overflow: buttonPlaces,
  radio_buttons: anywhere,
  workflow_button: buttonPlaces,
};

export function elementAt(place: Place, surface: Surface): Rule {
  const rules = place === "input" && surface === "modal" ? modalInputRules : elementRules;
  const allowed = new Map<string, readonly Place[]>(Object.entries(placesOf));
  return byType(Object.fromEntries(Object.entries(rules).filter(([type]) => allowed.get(type)?.includes(place))));
}
