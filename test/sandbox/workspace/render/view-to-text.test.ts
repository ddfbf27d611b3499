import { describe, expect, test } from "vitest";
import { initialState } from "../../../../src/sandbox/workspace/blocks.ts";
import { describeView } from "../../../../src/sandbox/workspace/form-fields.ts";
import type { JsonObject, StateValues } from "../../../../src/sandbox/workspace/json-object.ts";
import { viewToText as toText } from "../../../../src/sandbox/workspace/message-to-text.ts";
import { blocksOf } from "../../../../src/sandbox/workspace/state.ts";
import { input, modal, option, options, plain, section } from "../validate/samples.ts";

const options40 = { nameOf: (id: string) => `name-of-${id}`, zone: "UTC", width: 40 };
/** A view with these values and errors, as its reader sees it. */
const viewToText = (
  definition: JsonObject,
  {
    state = initialState(blocksOf(definition)),
    errors = {},
    ...viewer
  }: typeof options40 & {
    readonly state?: StateValues;
    readonly errors?: Readonly<Record<string, string>>;
  },
) => {
  const record = { id: "V1", userId: "U1", type: "modal", hash: "1", definition, state, errors } as const;
  return toText({ ...describeView(record), errors }, viewer);
};
const text = (more: object = {}) => ({ type: "plain_text_input", action_id: "a", ...more });
const form = modal(
  [
    section({ text: plain("Keep machines up for a while, out of the schedule.") }),
    input(text({ placeholder: plain("Why?") }), {
      block_id: "why",
      label: plain("Reason"),
      hint: plain("Others see it."),
      optional: true,
    }),
    input(
      { type: "static_select", action_id: "s", options: options(2), initial_option: option("o1") },
      { block_id: "what", label: plain("Project") },
    ),
  ],
  { close: plain("Not now") },
);

describe("a form in a terminal", () => {
  test("shows each input with label, value or placeholder, hint and error", () => {
    expect(viewToText(form, { ...options40, errors: { what: "That project is gone." } })).toBe(
      [
        "┌─ Form ────────────────────────────────",
        "│ Keep machines up for a while, out of",
        "│ the schedule.",
        "│",
        "│ Reason (optional)",
        "│ [ ‹Why?› ]",
        "│ Others see it.",
        "│",
        "│ Project",
        "│ [ o1 ▾ ]",
        "│ ! That project is gone.",
        "└─ [ Not now ] [ Send ] ────────────────",
      ].join("\n"),
    );
  });

  test("shows typed and chosen values", () => {
    const values = {
      why: { a: { type: "plain_text_input", value: "Demo" } },
      what: { s: { type: "static_select", selected_option: option("o0") } },
    };
    const shown = viewToText(form, { ...options40, state: values });
    expect(shown).toContain("│ [ Demo ]");
    expect(shown).toContain("│ [ o0 ▾ ]");
  });

  test("always has a close button", () => {
    expect(viewToText(modal([section()], { submit: undefined }), options40)).toContain("└─ [ Cancel ] ─");
  });

  test("keeps its frame around long words and typed lines", () => {
    const values = { why: { a: { type: "plain_text_input", value: `first\n${"x".repeat(50)}` } } };
    const lines = viewToText(form, { ...options40, state: values }).split("\n");
    expect(lines.every((line) => /^[┌│└]/.test(line) && line.length <= 40)).toBe(true);
  });

  test("contains no control characters", () => {
    const hostile = modal(
      [input(text({ initial_value: "a\u001b[2Jb" }), { block_id: "b", label: plain("\u009bL\r") })],
      { title: plain("T\u0007\n!") },
    );
    const shown = viewToText(hostile, { ...options40, errors: { b: "\u001b]0;x\u0007" } });
    expect(shown).toContain("┌─ T ! ─");
    expect(/[^\P{Cc}\n]/u.test(shown)).toBe(false);
  });

  test("accepts ids that are names of object members", () => {
    const view = modal([input(text({ action_id: "constructor" }), { block_id: "constructor" })]);
    expect(viewToText(view, options40)).toContain("│ Name\n│ [ ]\n└");
  });
});
