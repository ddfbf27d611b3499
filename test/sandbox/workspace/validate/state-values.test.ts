import { describe, expect, test } from "vitest";
import { initialState } from "../../../../src/sandbox/workspace/validate/state-values.ts";
import { actions, button, elements, image, input, option, options, richText, section } from "./samples.ts";

const start = option("o1");
const some = options(2);

/** Element, its initial state without a value, its initial value, its state then. */
const shapes: readonly (readonly [type: string, untouched: object, initial: object, started: object])[] = [
  ["plain_text_input", { value: null }, { initial_value: "abc" }, { value: "abc" }],
  ["email_text_input", { value: null }, { initial_value: "a@b.co" }, { value: "a@b.co" }],
  ["url_text_input", { value: null }, { initial_value: "https://a.example" }, { value: "https://a.example" }],
  ["number_input", { value: null }, { initial_value: "42" }, { value: "42" }],
  ["rich_text_input", {}, { initial_value: richText() }, { rich_text_value: richText() }],
  ["static_select", { selected_option: null }, { initial_option: start }, { selected_option: start }],
  ["external_select", { selected_option: null }, { initial_option: start }, { selected_option: start }],
  ["radio_buttons", { selected_option: null }, { initial_option: start }, { selected_option: start }],
  ["multi_static_select", { selected_options: [] }, { initial_options: some }, { selected_options: some }],
  ["multi_external_select", { selected_options: [] }, { initial_options: some }, { selected_options: some }],
  ["checkboxes", { selected_options: [] }, { initial_options: some }, { selected_options: some }],
  ["users_select", { selected_user: null }, { initial_user: "U1" }, { selected_user: "U1" }],
  ["multi_users_select", { selected_users: [] }, { initial_users: ["U1"] }, { selected_users: ["U1"] }],
  [
    "conversations_select",
    { selected_conversation: null },
    { initial_conversation: "C1" },
    { selected_conversation: "C1" },
  ],
  [
    "multi_conversations_select",
    { selected_conversations: [] },
    { initial_conversations: ["C1"] },
    { selected_conversations: ["C1"] },
  ],
  ["channels_select", { selected_channel: null }, { initial_channel: "C1" }, { selected_channel: "C1" }],
  ["multi_channels_select", { selected_channels: [] }, { initial_channels: ["C1"] }, { selected_channels: ["C1"] }],
  ["datepicker", { selected_date: null }, { initial_date: "2026-11-20" }, { selected_date: "2026-11-20" }],
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
  ["file_input", { files: [] }, {}, { files: [] }],
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
    const picker = (action_id: string) => ({ type: "datepicker", action_id });
    const blocks = [
      section({ block_id: "s", accessory: picker("one") }),
      { ...actions(picker("two"), button(), picker("three")), block_id: "a" },
    ];
    const untouched = { type: "datepicker", selected_date: null };
    expect(initialState(blocks)).toEqual({ s: { one: untouched }, a: { two: untouched, three: untouched } });
  });

  test("omits elements without a value", () => {
    const blocks = [elements.overflow, elements.workflow_button, image(), button()].map((accessory, index) =>
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
