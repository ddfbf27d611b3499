import { describe, expect, test } from "vitest";
import { fillDefaults, fillViewDefaults, validateBlocks } from "../../../../src/sandbox/workspace/blocks.ts";
import { isJsonObject, type JsonObject } from "../../../../src/sandbox/workspace/json-object.ts";
import {
  actions,
  button,
  context,
  elements,
  header,
  input,
  modal,
  mrkdwn,
  option,
  plain,
  richText,
  section,
} from "./samples.ts";

function counter(): () => string {
  let count = 0;
  return () => `r${++count}`;
}

const fill = (...blocks: readonly JsonObject[]) => fillDefaults(blocks, counter());

describe("filling in defaults", () => {
  test("adds a block_id where it is missing or empty", () => {
    expect(fill({ type: "divider" }, { type: "divider", block_id: "" }, { type: "divider", block_id: "mine" })).toEqual(
      [
        { type: "divider", block_id: "r1" },
        { type: "divider", block_id: "r2" },
        { type: "divider", block_id: "mine" },
      ],
    );
  });

  test("adds emoji to plain text and verbatim to mrkdwn, at any depth", () => {
    expect(
      fill(
        { ...header({ text: { ...plain("a"), emoji: false } }), block_id: "a" },
        { ...context(mrkdwn("b")), block_id: "b" },
      ),
    ).toEqual([
      { type: "header", block_id: "a", text: { type: "plain_text", text: "a", emoji: false } },
      { type: "context", block_id: "b", elements: [{ type: "mrkdwn", text: "b", verbatim: false }] },
    ]);
    const [select] = fill(
      actions({ type: "static_select", action_id: "s", options: [option("a")], initial_option: option("a") }),
    );
    const filled = { text: { type: "plain_text", text: "a", emoji: true }, value: "a" };
    expect(select?.elements).toEqual([
      { type: "static_select", action_id: "s", options: [filled], initial_option: filled },
    ]);
  });

  test("adds optional and dispatch_action to inputs", () => {
    const [first, second] = fill(
      input({ type: "datetimepicker" }),
      input({ type: "datetimepicker" }, { optional: true, dispatch_action: true }),
    );
    expect(first).toMatchObject({ optional: false, dispatch_action: false, element: { action_id: "r2" } });
    expect(second).toMatchObject({ optional: true, dispatch_action: true });
  });

  test.each(Object.entries(elements))("adds an action_id to %s", (type, element) => {
    const { action_id: _, ...bare } = { action_id: "", ...element };
    const place = type.endsWith("_input") ? "input" : "accessory";
    const [block] = fill(place === "input" ? input(bare) : section({ accessory: bare }));
    const filled = block?.[place === "input" ? "element" : "accessory"];
    expect(isJsonObject(filled) ? filled.action_id : "none").toBe("r2");
  });

  test("leaves rich text unchanged", () => {
    const block = { ...richText({ type: "text", text: "a" }), block_id: "r" };
    expect(fill(block)).toEqual([block]);
  });

  test("includes the title and the buttons of a view", () => {
    const filled = fillViewDefaults(modal([section({ block_id: "s" })], { private_metadata: "{}" }), counter());
    expect(filled).toEqual({
      type: "modal",
      title: { type: "plain_text", text: "Form", emoji: true },
      submit: { type: "plain_text", text: "Send", emoji: true },
      private_metadata: "{}",
      blocks: [{ type: "section", block_id: "s", text: { type: "mrkdwn", text: "Hello", verbatim: false } }],
    });
  });

  test("produces valid blocks", () => {
    const blocks = [
      section({ accessory: button() }),
      actions(button(), elements.static_select),
      richText(),
      { type: "divider" },
    ];
    expect(validateBlocks(fill(...blocks), "message")).toEqual([]);
  });
});
