import { isDeepStrictEqual } from "node:util";
import { isJsonObject, type JsonObject, objectsIn } from "../json-object.ts";
import {
  confirmDialog,
  conversationFilter,
  dispatchActionConfig,
  hasOneImageSource,
  imageSource,
  optionsOrGroups,
  overflowOption,
  plainText,
  selectOption,
  tickOption,
} from "./composition-rules.ts";
import { richTextBlock } from "./rich-text-rules.ts";
import {
  allOf,
  type Check,
  characters,
  exactlyOne,
  fields,
  flag,
  integerBetween,
  listOf,
  matching,
  oneOf,
  problem,
  type Rule,
  type Shape,
  typed,
} from "./rule.ts";

const anyNumber = Number.POSITIVE_INFINITY;
const id = characters(1, 255);
const ids = listOf(id, 0, anyNumber);
const style = oneOf("primary", "danger");
const accessibility_label = characters(0, 75);
const focus_on_load = flag;
const placeholder = plainText(150);
const confirm = confirmDialog;
const tick = { confirm, focus_on_load };
const menu = { placeholder, confirm, focus_on_load };
const severalOf = { ...menu, max_selected_items: integerBetween(1, anyNumber) };
const typing = { placeholder, focus_on_load, dispatch_action_config: dispatchActionConfig };
const conversations = { default_to_current_conversation: flag, filter: conversationFilter };
const numberText = matching(/^-?\d+(\.\d+)?$/);

/** Each element with its fields and limits (PLATFORM.md §8.4). */
export const elementRules = {
  button: element(
    { text: plainText(75) },
    { value: characters(0, 2000), url: characters(1, 3000), style, confirm, accessibility_label },
  ),
  checkboxes: element(
    { options: listOf(tickOption, 1, 10) },
    { initial_options: listOf(tickOption, 0, 10), ...tick },
    initialIsListed,
  ),
  radio_buttons: element(
    { options: listOf(tickOption, 1, 10) },
    { initial_option: tickOption, ...tick },
    initialIsListed,
  ),
  overflow: element({ options: listOf(overflowOption, 1, 5) }, { confirm }),
  static_select: element(
    {},
    { ...optionsOrGroups, initial_option: selectOption, ...menu },
    exactlyOne("options", "option_groups"),
    initialIsListed,
  ),
  multi_static_select: element(
    {},
    { ...optionsOrGroups, initial_options: listOf(selectOption, 0, 100), ...severalOf },
    exactlyOne("options", "option_groups"),
    initialIsListed,
  ),
  external_select: element(
    {},
    { initial_option: selectOption, min_query_length: integerBetween(0, anyNumber), ...menu },
  ),
  multi_external_select: element(
    {},
    { initial_options: listOf(selectOption, 0, 100), min_query_length: integerBetween(0, anyNumber), ...severalOf },
  ),
  users_select: element({}, { initial_user: id, ...menu }),
  multi_users_select: element({}, { initial_users: ids, ...severalOf }),
  conversations_select: conversationsSelect(),
  multi_conversations_select: element({}, { initial_conversations: ids, ...conversations, ...severalOf }),
  channels_select: channelsSelect(),
  multi_channels_select: element({}, { initial_channels: ids, ...severalOf }),
  datepicker: element({}, { initial_date: matching(/^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/), ...menu }),
  timepicker: element({}, { initial_time: matching(/^([01]\d|2[0-3]):[0-5]\d$/), timezone, ...menu }),
  datetimepicker: element({}, { initial_date_time: integerBetween(1_000_000_000, 9_999_999_999), ...tick }),
  plain_text_input: element(
    {},
    {
      initial_value: characters(0, 3000),
      multiline: flag,
      min_length: integerBetween(0, 3000),
      max_length: integerBetween(1, 3000),
      ...typing,
    },
  ),
  number_input: element(
    { is_decimal_allowed: flag },
    { initial_value: numberText, min_value: numberText, max_value: numberText, ...typing },
  ),
  email_text_input: element({}, { initial_value: allOf(characters(1, 3000), emailAddress), ...typing }),
  url_text_input: element({}, { initial_value: allOf(characters(1, 3000), url), ...typing }),
  rich_text_input: element(
    {},
    { initial_value: richTextBlock, min_lines: integerBetween(1, 100), max_lines: integerBetween(1, 100), ...typing },
  ),
  file_input: element({}, { filetypes: listOf(characters(1, 255), 0, anyNumber), max_files: integerBetween(1, 10) }),
  workflow_button: element({ text: plainText(75), workflow: workflow() }, { style, accessibility_label, confirm }),
  image: typed({ alt_text: characters(1, 2000) }, imageSource, hasOneImageSource),
} satisfies Shape;

/** Inputs of a modal, whose submission may contain `response_urls`. */
export const modalInputRules = {
  ...elementRules,
  conversations_select: conversationsSelect({ response_url_enabled: flag }),
  channels_select: channelsSelect({ response_url_enabled: flag }),
} satisfies Shape;

function element(required: Shape, optional: Shape, ...checks: readonly Check[]): Rule {
  return typed(required, { action_id: characters(0, 255), ...optional }, ...checks);
}

function conversationsSelect(more: Shape = {}): Rule {
  return element({}, { initial_conversation: id, ...conversations, ...menu, ...more });
}

function channelsSelect(more: Shape = {}): Rule {
  return element({}, { initial_channel: id, ...menu, ...more });
}

function workflow(): Rule {
  const parameter = fields({ name: characters(1, 255), value: characters(0, 3000) });
  const trigger = fields(
    { url: characters(1, 3000) },
    { customizable_input_parameters: listOf(parameter, 0, anyNumber) },
  );
  return fields({ trigger });
}

/** Slack's own texts for what is no address are not known. */
function emailAddress(value: unknown, pointer: string): readonly string[] {
  const isOne = typeof value !== "string" || /^[^\s@<>,;]+@[^\s@<>,;.]+(?:\.[^\s@<>,;.]+)+$/.test(value);
  return isOne ? [] : problem("must be a valid email address", pointer);
}

function url(value: unknown, pointer: string): readonly string[] {
  const isOne = typeof value !== "string" || (/^https?:\/\/\S+$/i.test(value) && URL.canParse(value));
  return isOne ? [] : problem("must be a valid URL", pointer);
}

function timezone(value: unknown, pointer: string): readonly string[] {
  if (typeof value !== "string") return problem("must provide a string", pointer);
  return isTimeZone(value) ? [] : problem("must be a valid enum value", pointer);
}

function isTimeZone(name: string): boolean {
  try {
    return Intl.DateTimeFormat("en-US", { timeZone: name }).resolvedOptions().timeZone !== "" && /^[a-z]/i.test(name);
  } catch {
    return false;
  }
}

/** Slack compares whole options, including the description. Its error text for a mismatch is unknown. */
function initialIsListed(value: JsonObject, pointer: string): readonly string[] {
  const listed = [
    ...objectsIn(value.options),
    ...objectsIn(value.option_groups).flatMap((group) => objectsIn(group.options)),
  ];
  const isListed = (option: unknown): boolean => listed.some((each) => isDeepStrictEqual(each, option));
  const mismatch = (at: string): readonly string[] => problem("must exactly match one of the options", at);
  const several = Array.isArray(value.initial_options) ? value.initial_options : [];
  return [
    ...(isJsonObject(value.initial_option) && !isListed(value.initial_option)
      ? mismatch(`${pointer}/initial_option`)
      : []),
    ...several.flatMap((option, index) => (isListed(option) ? [] : mismatch(`${pointer}/initial_options/${index}`))),
  ];
}
