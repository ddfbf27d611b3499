import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { messageToText } from "../../../../src/sandbox/workspace/message-to-text.ts";
import {
  actions,
  button,
  context,
  elements,
  header,
  input,
  mrkdwn,
  option,
  options,
  plain,
  section,
} from "../validate/samples.ts";

const viewer = { nameOf: (id: string) => `name-of-${id}`, zone: "UTC", width: 40 };
const draw = (...blocks: readonly unknown[]) => messageToText({ text: "fallback", blocks }, viewer);
const select = (more: object) => actions({ type: "static_select", options: options(2), ...more });

describe("a message in a terminal", () => {
  test("shows its blocks, not its fallback", () => {
    const card = draw(
      header({ text: plain("staging is kept up") }),
      section({ text: mrkdwn("<@U1> asked for it until *Friday*.") }),
      { type: "divider" },
      context(mrkdwn("change 42"), plain("just now")),
      actions(button({ text: plain("Extend") }), button({ text: plain("End"), action_id: "end" })),
    );
    expect(card).toBe(
      [
        "*staging is kept up*",
        "@name-of-U1 asked for it until *Friday*.",
        "────────────────────────────────────────",
        "· change 42  · just now",
        "[ Extend ] [ End ]",
      ].join("\n"),
    );
  });

  test("shows its text when it has no blocks", () => {
    expect(messageToText({ text: "Hi <@U1> &amp; all" }, viewer)).toBe("Hi @name-of-U1 & all");
    expect(messageToText({ text: "Hi", blocks: [] }, viewer)).toBe("Hi");
    expect(messageToText({}, viewer)).toBe("");
  });

  test("shows each field on its lines", () => {
    const fields = [
      mrkdwn("*Project*\nDevelopment"),
      mrkdwn("*Until*\nFriday, the twentieth of November"),
      plain("Alone"),
    ];
    expect(draw({ type: "section", fields })).toBe(
      ["*Project*", "Development", "*Until*", "Friday, the twentieth of November", "Alone"].join("\n"),
    );
  });

  test.each<readonly [string, unknown, string]>([
    ["a menu with its placeholder", select({ placeholder: plain("Pick one") }), "[ Pick one ▾ ]"],
    ["a menu without one", select({}), "[ Choose… ▾ ]"],
    ["a menu with its choice", select({ initial_option: option("o1") }), "[ o1 ▾ ]"],
    ["a chosen person", actions({ type: "users_select", initial_user: "U1" }), "[ @name-of-U1 ▾ ]"],
    [
      "a moment in the viewer's zone",
      actions({ type: "datetimepicker", initial_date_time: 1_793_500_200 }),
      "[ 2026-11-01 2:30 AM ▾ ]",
    ],
    ["an overflow menu", section({ accessory: elements.overflow }), "Hello\n[ ⋯ o0 / o1 ]"],
    [
      "checkboxes",
      actions({
        type: "checkboxes",
        options: [option("a"), option("b", { description: mrkdwn("_b_") })],
        initial_options: [option("a")],
      }),
      "[x] a\n[ ] b — _b_",
    ],
    ["radio buttons", actions({ ...elements.radio_buttons, initial_option: option("o1") }), "( ) o0\n(•) o1"],
    ["an input", input({ type: "plain_text_input" }), "Name\n[ ]"],
    ["an unsupported block", { type: "video" }, "[video]"],
    ["plain text without formatting", section({ text: plain("<@U1> &amp;") }), "<@U1> &amp;"],
  ])("shows %s", (_, block, shown) => {
    expect(draw(block)).toBe(shown);
  });

  test("shows what is to be shown exactly, indented", () => {
    const element = { type: "rich_text_preformatted", elements: [{ type: "text", text: "x = 1\n<@U1>" }] };
    expect(draw({ type: "rich_text", elements: [element] })).toBe("    x = 1\n    <@U1>");
  });

  test("cannot be spoofed with a line break in a label", () => {
    expect(draw(actions(button({ text: plain("Go\n[ Fake ]") })))).toBe("[ Go [ Fake ] ]");
  });

  test("never contains a control character or fails, for any blocks", () => {
    const block = fc.tuple(
      fc.constantFrom("section", "actions", "context", "input", "rich_text", "header"),
      fc.jsonValue(),
      fc.string({ unit: "binary" }),
    );
    const blocks = fc.array(
      block.map(([type, value, text]) => ({
        type,
        text: plain(text),
        elements: value,
        element: value,
        label: plain(text),
      })),
    );
    fc.assert(
      fc.property(
        blocks,
        fc.string({ unit: "binary" }),
        (all, text) => !/[^\P{Cc}\n]/u.test(messageToText({ text, blocks: all }, viewer)),
      ),
    );
  });
});
