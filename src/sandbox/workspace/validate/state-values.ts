import { type JsonObject, stringAt } from "../json-object.ts";
import { elementsOf } from "./elements-of.ts";

/** By block id, then by action id. */
export type StateValues = Readonly<Record<string, Readonly<Record<string, JsonObject>>>>;

/** `state.values` before anyone touches the blocks, for every stateful element (PLATFORM.md §7.6). */
export function initialState(blocks: readonly JsonObject[]): StateValues {
  const entries = blocks.map((block) => {
    const values = elementsOf(block).flatMap(({ element }) => {
      const value = elementState(element);
      return value === undefined ? [] : [[stringAt(element.action_id) ?? "", value] as const];
    });
    return [stringAt(block.block_id) ?? "", Object.fromEntries(values)] as const;
  });
  return Object.fromEntries(entries.filter(([, values]) => Object.keys(values).length > 0));
}

/** Undefined for an element that holds no value, such as a button. */
export function elementState(element: JsonObject): JsonObject | undefined {
  const type = stringAt(element.type) ?? "";
  if (type === "rich_text_input") {
    return element.initial_value === undefined ? { type } : { type, rich_text_value: element.initial_value };
  }
  const form = Object.hasOwn(forms, type) ? forms[type] : undefined;
  if (form === undefined) return undefined;
  const value = element[form.initial];
  const zone = type === "timepicker" && element.timezone !== undefined ? { timezone: element.timezone } : {};
  return { type, [form.name]: value === undefined || value === "" ? form.untouched : value, ...zone };
}

interface Form {
  readonly name: string;
  readonly initial: string;
  readonly untouched: null | readonly never[];
}

const text = one("value", "initial_value");
const option = one("selected_option", "initial_option");
const options = many("selected_options", "initial_options");

const forms: Readonly<Record<string, Form>> = {
  plain_text_input: text,
  email_text_input: text,
  url_text_input: text,
  number_input: text,
  static_select: option,
  external_select: option,
  radio_buttons: option,
  multi_static_select: options,
  multi_external_select: options,
  checkboxes: options,
  users_select: one("selected_user", "initial_user"),
  multi_users_select: many("selected_users", "initial_users"),
  conversations_select: one("selected_conversation", "initial_conversation"),
  multi_conversations_select: many("selected_conversations", "initial_conversations"),
  channels_select: one("selected_channel", "initial_channel"),
  multi_channels_select: many("selected_channels", "initial_channels"),
  datepicker: one("selected_date", "initial_date"),
  timepicker: one("selected_time", "initial_time"),
  datetimepicker: one("selected_date_time", "initial_date_time"),
  // No element starts with files, so `initial_files` never exists.
  file_input: many("files", "initial_files"),
};

function one(name: string, initial: string): Form {
  return { name, initial, untouched: null };
}

function many(name: string, initial: string): Form {
  return { name, initial, untouched: [] };
}
