import { describe, expect, test } from "vitest";
import { validateBlocks } from "../../../../src/sandbox/workspace/blocks.ts";
import { actions, button, confirm, elements, mrkdwn, option, options, plain } from "./samples.ts";

const of = (type: string, more: object = {}) => ({ ...elements[type], ...more });
const group = (more: object = {}) => ({ label: plain("Group"), options: options(1), ...more });
const groups = (count: number) => ({
  type: "static_select",
  option_groups: Array.from({ length: count }, () => group()),
});

/** Paths are relative to the element. */
type Row = readonly [rule: string, accepted: object, rejected: object, problem: string, path: string];

const inActions: readonly Row[] = [
  ["button text is plain", button(), button({ text: mrkdwn("a") }), "unsupported type: mrkdwn", "/text/type"],
  [
    "button style is primary or danger",
    button({ style: "danger" }),
    button({ style: "default" }),
    "must be a valid enum value",
    "/style",
  ],
  ["button cannot be disabled", button(), button({ disabled: true }), "invalid additional property: disabled", ""],
  ["button has a text", button(), { type: "button" }, "missing required field: text", ""],
  [
    "confirm text is plain",
    button({ confirm: confirm() }),
    button({ confirm: confirm({ text: mrkdwn("a") }) }),
    "unsupported type: mrkdwn",
    "/confirm/text/type",
  ],
  [
    "confirm has all its texts",
    button({ confirm: confirm() }),
    button({ confirm: confirm({ deny: undefined }) }),
    "missing required field: deny",
    "/confirm",
  ],
  [
    "confirm style is primary or danger",
    button({ confirm: confirm({ style: "danger" }) }),
    button({ confirm: confirm({ style: "red" }) }),
    "must be a valid enum value",
    "/confirm/style",
  ],
  [
    "only overflow options have a URL",
    of("overflow", { options: [option("a", { url: "https://a.example" })] }),
    of("static_select", { options: [option("a", { url: "https://a.example" })] }),
    "invalid additional property: url",
    "/options/0",
  ],
  [
    "only checkbox and radio options have formatting",
    of("checkboxes", { options: [option("a", { text: mrkdwn("*a*") })] }),
    of("static_select", { options: [option("a", { text: mrkdwn("*a*") })] }),
    "unsupported type: mrkdwn",
    "/options/0/text/type",
  ],
  [
    "options have no type",
    of("static_select"),
    of("static_select", { options: [option("a", { type: "option" })] }),
    "invalid additional property: type",
    "/options/0",
  ],
  [
    "options have a value",
    of("static_select"),
    of("static_select", { options: [{ text: plain("a") }] }),
    "missing required field: value",
    "/options/0",
  ],
  [
    "select has options or groups, not both",
    groups(1),
    { ...groups(1), options: options(1) },
    "must provide exactly one of `options` or `option_groups`",
    "",
  ],
  [
    "select has options or groups",
    groups(1),
    { type: "static_select" },
    "must provide exactly one of `options` or `option_groups`",
    "",
  ],
  [
    "initial option is one of the options",
    of("static_select", { initial_option: option("o1") }),
    of("static_select", { initial_option: option("o9") }),
    "must exactly match one of the options",
    "/initial_option",
  ],
  [
    "initial option matches in its description too",
    of("static_select", { initial_option: option("o1") }),
    of("static_select", { initial_option: option("o1", { description: plain("a") }) }),
    "must exactly match one of the options",
    "/initial_option",
  ],
  [
    "initial option may be in a group",
    { ...groups(1), initial_option: option("o0") },
    { ...groups(1), initial_option: option("o5") },
    "must exactly match one of the options",
    "/initial_option",
  ],
  [
    "initial option is not null",
    of("static_select"),
    of("static_select", { initial_option: null }),
    "must provide an object",
    "/initial_option",
  ],
  [
    "each of the initial options is an option",
    of("checkboxes", { initial_options: options(2) }),
    of("checkboxes", { initial_options: [option("o0"), option("o7")] }),
    "must exactly match one of the options",
    "/initial_options/1",
  ],
  [
    "initial radio is one of the options",
    of("radio_buttons", { initial_option: option("o0") }),
    of("radio_buttons", { initial_option: option("none") }),
    "must exactly match one of the options",
    "/initial_option",
  ],
  [
    "placeholder is plain",
    of("users_select", { placeholder: plain("a") }),
    of("users_select", { placeholder: mrkdwn("a") }),
    "unsupported type: mrkdwn",
    "/placeholder/type",
  ],
  [
    "a single select has no list of initial users",
    of("users_select", { initial_user: "U1" }),
    of("users_select", { initial_users: ["U1"] }),
    "invalid additional property: initial_users",
    "",
  ],
  [
    "max_selected_items is at least 1",
    of("multi_external_select", { max_selected_items: 1 }),
    of("multi_external_select", { max_selected_items: 0 }),
    "must be greater than 1",
    "/max_selected_items",
  ],
  [
    "min_query_length is an integer",
    of("external_select", { min_query_length: 0 }),
    of("external_select", { min_query_length: "3" }),
    "must provide an integer",
    "/min_query_length",
  ],
  [
    "initial time is a time of day",
    of("timepicker", { initial_time: "23:59" }),
    of("timepicker", { initial_time: "24:00" }),
    "input must match regex pattern: ^([01]\\d|2[0-3]):[0-5]\\d$",
    "/initial_time",
  ],
  [
    "time zone is known",
    of("timepicker", { timezone: "Europe/Berlin" }),
    of("timepicker", { timezone: "Mars/Base" }),
    "must be a valid enum value",
    "/timezone",
  ],
  [
    "date and time has 10 digits",
    of("datetimepicker", { initial_date_time: 1_793_500_200 }),
    of("datetimepicker", { initial_date_time: 1_793_500_200_000 }),
    "must be less than 9999999999",
    "/initial_date_time",
  ],
  [
    "date and time is a number",
    of("datetimepicker", { initial_date_time: 1_000_000_000 }),
    of("datetimepicker", { initial_date_time: "1793500200" }),
    "must provide an integer",
    "/initial_date_time",
  ],
  [
    "date and time has no placeholder",
    of("datetimepicker"),
    of("datetimepicker", { placeholder: plain("a") }),
    "invalid additional property: placeholder",
    "",
  ],
];

describe("an element", () => {
  test.each(inActions)("%s", (_, accepted, rejected, problem, path) => {
    expect(validateBlocks([actions(accepted)], "message")).toEqual([]);
    expect(validateBlocks([actions(rejected)], "message")).toEqual([
      `${problem} [json-pointer:/blocks/0/elements/0${path}]`,
    ]);
  });
});
