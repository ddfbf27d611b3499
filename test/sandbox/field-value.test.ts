import { expect, test } from "vitest";
import { fieldValue } from "../../src/sandbox/terminal.ts";
import { formFields } from "../../src/sandbox/workspace/form-fields.ts";

const now = Date.parse("2026-11-20T12:00:30Z");
const typed = (type: string, text: string) => {
  const block = {
    type: "input",
    block_id: "b",
    label: { type: "plain_text", text: "L" },
    element: { type, action_id: "a" },
  };
  return formFields([block]).map(({ element }) => fieldValue(element, text, { now, zone: "Europe/Berlin" }))[0];
};
const seconds = (iso: string): number => Date.parse(iso) / 1000;

test("reads a moment in the person's zone, and a duration in whole minutes", () => {
  expect(typed("datetimepicker", "2026-11-23 09:00")).toBe(seconds("2026-11-23T08:00:00Z"));
  expect(typed("datetimepicker", "until 2026-11-23 09:00")).toBe(seconds("2026-11-23T08:00:00Z"));
  expect(typed("datetimepicker", "for 2h")).toBe(seconds("2026-11-20T14:01:00Z"));
  expect(() => typed("datetimepicker", "whenever")).toThrow("whenever");
});

test("splits commas only for fields with several values", () => {
  expect(typed("checkboxes", "Tags, Parameters")).toEqual(["Tags", "Parameters"]);
  expect(typed("multi_external_select", "one")).toEqual(["one"]);
  expect(typed("plain_text_input", "i-0a1, i-0a2")).toBe("i-0a1, i-0a2");
});

test("clears any field with an empty text", () => {
  for (const type of ["plain_text_input", "datetimepicker", "checkboxes"]) expect(typed(type, " ")).toBe(null);
});
