import { describe, expect, test } from "vitest";
import { initialState } from "../../../../src/sandbox/workspace/blocks.ts";
import { actions, button, elements, input, option, options, section } from "./samples.ts";

const start = option("o1");
const some = options(2);

/** Element, its initial state without a value, its initial value, its state then. */
const shapes: readonly (readonly [type: string, untouched: object, initial: object, started: object])[] = [
  ["plain_text_input", { value: null }, { initial_value: "abc" }, { value: "abc" }],
  ["email_text_input", { value: null }, { initial_value: "a@b.co" }, { value: "a@b.co" }],
  ["number_input", { value: null }, { initial_value: "42" }, { value: "42" }],
  ["static_select", { selected_option: null }, { initial_option: start }, { selected_option: start }],
  ["external_select", { selected_option: null }, { initial_option: start }, { selected_option: start }],
  ["radio_buttons", { selected_option: null }, { initial_option: start }, { selected_option: start }],
  ["multi_external_select", { selected_options: [] }, { initial_options: some }, { selected_options: some }],
  ["checkboxes", { selected_options: [] }, { initial_options: some }, { selected_options: some }],
  ["users_select", { selected_user: null }, { initial_user: "U1" }, { selected_user: "U1" }],
  [
    "timepicker",
    { selected_time: null },
    { initial_time: "09:30", timezone: "Europe/Berlin" },
    { selected_time: "09:30", timezone: "Europe/Berlin" },
  ],
  [
    "datetimepicker",
    { selected_date_time: null },
    { initial_date_time: 1_793_500_200 },
    { selected_date_time: 1_793_500_200 },
  ],
];

describe("the state of a view", () => {
  test.each(shapes)("holds %s like Slack", (type, untouched, initial, started) => {
    const element = { ...elements[type], action_id: "a" };
    expect(initialState([input(element, { block_id: "b" })])).toEqual({ b: { a: { type, ...untouched } } });
    expect(initialState([input({ ...element, ...initial }, { block_id: "b" })])).toEqual({
      b: { a: { type, ...started } },
    });
  });

  test("includes the elements of sections and actions", () => {
    const picker = (action_id: string) => ({ type: "timepicker", action_id });
    const blocks = [
      section({ block_id: "s", accessory: picker("one") }),
      { ...actions(picker("two"), button(), picker("three")), block_id: "a" },
    ];
    const untouched = { type: "timepicker", selected_time: null };
    expect(initialState(blocks)).toEqual({ s: { one: untouched }, a: { two: untouched, three: untouched } });
  });

  test("omits elements without a value", () => {
    const blocks = [elements.overflow, button()].map((accessory, index) =>
      section({ block_id: `b${index}`, accessory }),
    );
    expect(initialState([...blocks, { type: "divider", block_id: "d" }])).toEqual({});
  });

  test("treats an empty text as no value", () => {
    const element = { type: "plain_text_input", action_id: "a", initial_value: "" };
    expect(initialState([input(element, { block_id: "b" })])).toEqual({
      b: { a: { type: "plain_text_input", value: null } },
    });
  });
});
