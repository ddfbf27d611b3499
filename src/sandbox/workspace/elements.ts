import { isDeepStrictEqual } from "node:util";
import { isJsonObject, type JsonObject, objectsIn } from "./json-object.ts";

/** Returns the problems of the value at a JSON pointer, in Slack's words; empty when valid (PLATFORM.md §9.2). */
export type Rule = (value: unknown, pointer: string) => readonly string[];
/** A rule by property; a name that ends in `?` may be absent. */
export type Shape = Readonly<Record<string, Rule>>;
/** A rule that involves several properties of one object. */
export type Check = (value: JsonObject, pointer: string) => readonly string[];

export const anyNumber = Number.POSITIVE_INFINITY;

export function problem(text: string, pointer: string): readonly string[] {
  return [`${text} [json-pointer:${pointer}]`];
}

export function characters(min: number, max: number): Rule {
  return (value, pointer) => {
    if (typeof value !== "string") return problem("must provide a string", pointer);
    if (value.length < min) return problem(`must be more than ${min - 1} characters`, pointer);
    return value.length > max ? problem(`must be less than ${max + 1} characters`, pointer) : [];
  };
}

function matching(pattern: RegExp): Rule {
  return (value, pointer) => {
    if (typeof value !== "string") return problem("must provide a string", pointer);
    return pattern.test(value) ? [] : problem(`input must match regex pattern: ${pattern.source}`, pointer);
  };
}

export function integerBetween(min: number, max: number): Rule {
  return (value, pointer) => {
    if (typeof value !== "number" || !Number.isInteger(value)) return problem("must provide an integer", pointer);
    if (value < min) return problem(`must be greater than ${min}`, pointer);
    return value > max ? problem(`must be less than ${max}`, pointer) : [];
  };
}

export const flag: Rule = (value, pointer) => (typeof value === "boolean" ? [] : problem("must be a boolean", pointer));

export function oneOf(...values: readonly unknown[]): Rule {
  return (value, pointer) => (values.includes(value) ? [] : problem("must be a valid enum value", pointer));
}

export function listOf(item: Rule, min: number, max: number): Rule {
  return (value, pointer) => {
    if (!Array.isArray(value)) return problem("must provide an array", pointer);
    if (value.length > max) return problem(`no more than ${max} items allowed`, pointer);
    if (value.length < min) return problem(`must provide at least ${min} items`, pointer);
    return value.flatMap((each: unknown, index) => item(each, `${pointer}/${index}`));
  };
}

/** An object with these properties and no others. */
export function fields(shape: Shape, ...checks: readonly Check[]): Rule {
  const rules = new Map(Object.entries(shape).map(([name, rule]) => [name.replace("?", ""), rule]));
  const required = Object.keys(shape).filter((name) => !name.endsWith("?"));
  return (value, pointer) => {
    if (!isJsonObject(value)) return problem("must provide an object", pointer);
    const given = Object.entries(value).filter(([, item]) => item !== undefined);
    const missing = required.filter((name) => value[name] === undefined);
    return [
      ...missing.flatMap((name) => problem(`missing required field: ${name}`, pointer)),
      ...given.flatMap(
        ([name, item]) =>
          rules.get(name)?.(item, `${pointer}/${name}`) ?? problem(`invalid additional property: ${name}`, pointer),
      ),
      ...checks.flatMap((check) => check(value, pointer)),
    ];
  };
}

/** The same for an object that `byType` has already matched by its `type`. */
export function typed(shape: Shape, ...checks: readonly Check[]): Rule {
  return fields({ "type?": () => [], ...shape }, ...checks);
}

export function byType(rules: Readonly<Record<string, Rule>>): Rule {
  return (value, pointer) => {
    if (!isJsonObject(value)) return problem("must provide an object", pointer);
    const { type } = value;
    if (type === undefined) return problem("missing required field: type", pointer);
    if (typeof type !== "string") return problem("must provide a string", `${pointer}/type`);
    const rule = Object.hasOwn(rules, type) ? rules[type] : undefined;
    return rule?.(value, pointer) ?? problem(`unsupported type: ${type}`, `${pointer}/type`);
  };
}

/** Slack's own text is unknown; this follows the one documented for `blocks.validate`. */
export function exactlyOne(one: string, other: string): Check {
  return (value, pointer) =>
    (value[one] === undefined) === (value[other] === undefined)
      ? problem(`must provide exactly one of \`${one}\` or \`${other}\``, pointer)
      : [];
}

// The elements that Curfew sends, as strict as Slack. Any other is refused as unknown.

export const id = characters(1, 255);
const textTypes = (max: number) => ({
  plain_text: typed({ text: characters(1, max), "emoji?": flag }),
  mrkdwn: typed({ text: characters(1, max), "verbatim?": flag }),
});
export const anyText = (max: number): Rule => byType(textTypes(max));
/** A text object without formatting. `mrkdwn` is an unsupported type there (PLATFORM.md §8.5). */
export const plainText = (max: number): Rule => byType({ plain_text: textTypes(max).plain_text });

const option = (text: (max: number) => Rule, more: Shape = {}): Rule =>
  fields({ text: text(75), value: characters(1, 150), "description?": text(75), ...more });
export const selectOption = option(plainText);
/** For checkboxes and radio buttons, the only options with formatting. */
const tickOption = option(anyText);
export const optionGroup = fields({ label: plainText(75), options: listOf(selectOption, 1, 100) });

const style = oneOf("primary", "danger");
/** Formatting in `text` reportedly works, but only plain text is documented, so the sandbox accepts only that. */
const confirm = fields({
  title: plainText(100),
  text: plainText(300),
  confirm: plainText(30),
  deny: plainText(30),
  "style?": style,
});
const dispatchActionConfig = fields({
  trigger_actions_on: listOf(oneOf("on_enter_pressed", "on_character_entered"), 1, 2),
});

type Place = "accessory" | "actions" | "input";

/** Where an element may stand, what it holds, and its fields and limits (PLATFORM.md §7.6, §8.3, §8.4). */
interface ElementKind {
  readonly places: readonly Place[];
  readonly holds?: Held;
  readonly shape: Shape;
  readonly checks?: readonly Check[];
}

/** The entry in `state.values`: its name, the field that it starts from, and the value before anybody touched it. */
export interface Held {
  readonly name: string;
  readonly initial: string;
  readonly untouched: null | readonly never[];
}

const anywhere: readonly Place[] = ["accessory", "actions", "input"];
const buttonPlaces: readonly Place[] = ["accessory", "actions"];
const holds = (name: string, initial: string, untouched: Held["untouched"] = null): Held => ({
  name,
  initial,
  untouched,
});
const oneOption = holds("selected_option", "initial_option");
const manyOptions = holds("selected_options", "initial_options", []);
const typedText = holds("value", "initial_value");

const menu = { "placeholder?": plainText(150), "confirm?": confirm };
const tick = { "confirm?": confirm };
const typing = { "placeholder?": plainText(150), "dispatch_action_config?": dispatchActionConfig };
const minQuery = { "min_query_length?": integerBetween(0, anyNumber) };
const numberText = matching(/^-?\d+(\.\d+)?$/);

export const elementKinds: Readonly<Record<string, ElementKind>> = {
  button: {
    places: buttonPlaces,
    shape: {
      text: plainText(75),
      "value?": characters(0, 2000),
      "url?": characters(1, 3000),
      "style?": style,
      "confirm?": confirm,
    },
  },
  overflow: {
    places: buttonPlaces,
    shape: { options: listOf(option(plainText, { "url?": characters(1, 3000) }), 1, 5), "confirm?": confirm },
  },
  checkboxes: {
    places: anywhere,
    holds: manyOptions,
    shape: { options: listOf(tickOption, 1, 10), "initial_options?": listOf(tickOption, 0, 10), ...tick },
    checks: [initialIsListed],
  },
  radio_buttons: {
    places: anywhere,
    holds: oneOption,
    shape: { options: listOf(tickOption, 1, 10), "initial_option?": tickOption, ...tick },
    checks: [initialIsListed],
  },
  static_select: {
    places: anywhere,
    holds: oneOption,
    shape: {
      "options?": listOf(selectOption, 1, 100),
      "option_groups?": listOf(optionGroup, 1, 100),
      "initial_option?": selectOption,
      ...menu,
    },
    checks: [exactlyOne("options", "option_groups"), initialIsListed],
  },
  external_select: {
    places: anywhere,
    holds: oneOption,
    shape: { "initial_option?": selectOption, ...minQuery, ...menu },
  },
  multi_external_select: {
    places: anywhere,
    holds: manyOptions,
    shape: {
      "initial_options?": listOf(selectOption, 0, 100),
      "max_selected_items?": integerBetween(1, anyNumber),
      ...minQuery,
      ...menu,
    },
  },
  users_select: {
    places: anywhere,
    holds: holds("selected_user", "initial_user"),
    shape: { "initial_user?": id, ...menu },
  },
  timepicker: {
    places: anywhere,
    holds: holds("selected_time", "initial_time"),
    shape: { "initial_time?": matching(/^([01]\d|2[0-3]):[0-5]\d$/), "timezone?": timezone, ...menu },
  },
  datetimepicker: {
    places: ["actions", "input"],
    holds: holds("selected_date_time", "initial_date_time"),
    shape: { "initial_date_time?": integerBetween(1_000_000_000, 9_999_999_999), ...tick },
  },
  plain_text_input: {
    places: ["input"],
    holds: typedText,
    shape: {
      "initial_value?": characters(0, 3000),
      "multiline?": flag,
      ...typing,
      "min_length?": integerBetween(0, 3000),
      "max_length?": integerBetween(1, 3000),
    },
  },
  number_input: {
    places: ["input"],
    holds: typedText,
    shape: {
      is_decimal_allowed: flag,
      "initial_value?": numberText,
      ...typing,
      "min_value?": numberText,
      "max_value?": numberText,
    },
  },
  email_text_input: { places: ["input"], holds: typedText, shape: { "initial_value?": emailAddress, ...typing } },
};

export function elementAt(place: Place): Rule {
  const kinds = Object.entries(elementKinds).filter(([, { places }]) => places.includes(place));
  const rule = ({ shape, checks = [] }: ElementKind) =>
    typed({ "action_id?": characters(0, 255), ...shape }, ...checks);
  return byType(Object.fromEntries(kinds.map(([type, kind]) => [type, rule(kind)])));
}

/** Slack's own text for what is no address is not known. */
function emailAddress(value: unknown, pointer: string): readonly string[] {
  const problems = characters(1, 3000)(value, pointer);
  const isOne = /^[^\s@<>,;]+@[^\s@<>,;.]+(?:\.[^\s@<>,;.]+)+$/.test(String(value));
  return problems.length > 0 || isOne ? problems : problem("must be a valid email address", pointer);
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
  const groups = objectsIn(value.option_groups).flatMap((group) => objectsIn(group.options));
  const listed = [...objectsIn(value.options), ...groups];
  const several = Array.isArray(value.initial_options) ? value.initial_options : [];
  const initial: readonly (readonly [unknown, string])[] = [
    ...(isJsonObject(value.initial_option) ? [[value.initial_option, "initial_option"] as const] : []),
    ...several.map((each: unknown, index) => [each, `initial_options/${index}`] as const),
  ];
  return initial.flatMap(([each, at]) =>
    listed.some((one) => isDeepStrictEqual(one, each))
      ? []
      : problem("must exactly match one of the options", `${pointer}/${at}`),
  );
}
