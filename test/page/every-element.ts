import type { JsonObject } from "../../src/sandbox/workspace/json-object.ts";

export const plain = (text: string): JsonObject => ({ type: "plain_text", text });
export const option = (text: string): JsonObject => ({ text: plain(text), value: text.toLowerCase() });

const colours = [option("Red"), option("Green"), option("Blue")];

export function input(label: string, element: JsonObject, more: JsonObject = {}): JsonObject {
  const id = label.toLowerCase();
  return { type: "input", block_id: id, label: plain(label), element: { action_id: "value", ...element }, ...more };
}

export function modal(blocks: readonly JsonObject[], more: JsonObject = {}): JsonObject {
  return { type: "modal", callback_id: "form", title: plain("Everything"), submit: plain("Send"), blocks, ...more };
}

/** A form with every kind of input that Curfew sends. */
export const everyInput: readonly JsonObject[] = [
  input("Text", { type: "plain_text_input" }),
  input("Lines", { type: "plain_text_input", multiline: true }),
  input("Mail", { type: "email_text_input" }),
  input("Count", { type: "number_input", is_decimal_allowed: false }),
  input("Colour", { type: "static_select", options: colours }),
  input("City", { type: "external_select", min_query_length: 2 }),
  input("Cities", { type: "multi_external_select", min_query_length: 0 }),
  input("Who", { type: "users_select" }),
  input("Agree", { type: "checkboxes", options: [option("Yes"), option("Really")] }),
  input("One", { type: "radio_buttons", options: colours }),
  input("Hour", { type: "timepicker", timezone: "Asia/Tokyo" }),
  input("Moment", { type: "datetimepicker" }),
];
