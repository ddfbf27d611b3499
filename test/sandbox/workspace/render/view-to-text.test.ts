import { describe, expect, test } from "vitest";
import { viewToText } from "../../../../src/sandbox/workspace/render/view-to-text.ts";
import { input, modal, option, options, plain, section } from "../validate/samples.ts";

const options40 = { nameOf: (id: string) => `name-of-${id}`, zone: "UTC", width: 40 };
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
    const own = viewToText({ ...form, state: { values } }, options40);
    expect(own).toContain("│ [ Demo ]");
    expect(own).toContain("│ [ o0 ▾ ]");
    expect(viewToText(form, { ...options40, state: values })).toBe(own);
  });

  test("always has a close button", () => {
    expect(viewToText(modal([section()], { submit: undefined }), options40)).toContain("└─ [ Cancel ] ─");
  });

  test("shows the Home tab for a home view", () => {
    expect(viewToText({ type: "home", blocks: [section()] }, { ...options40, width: 12 })).toBe(
      "┌─ Home ────\n│ Hello\n└───────────",
    );
  });

  test("keeps its frame around long words and typed lines", () => {
    const values = { why: { a: { type: "plain_text_input", value: `first\n${"x".repeat(50)}` } } };
    const lines = viewToText({ ...form, state: { values } }, options40).split("\n");
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
