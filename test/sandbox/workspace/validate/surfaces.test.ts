import { describe, expect, test } from "vitest";
import { messageLimit, type Surface, validateBlocks } from "../../../../src/sandbox/workspace/blocks.ts";
import { actions, button, context, elements, header, input, letters, mrkdwn, richText, section } from "./samples.ts";

const surfaces: readonly Surface[] = ["message", "modal", "home"];

describe("a surface", () => {
  test.each([
    ["actions", actions(button()), "message modal home"],
    ["context", context(mrkdwn("a")), "message modal home"],
    ["divider", { type: "divider" }, "message modal home"],
    ["table", { type: "table", rows: [] }, ""],
    ["image", { type: "image", alt_text: "a", image_url: "https://a.example" }, ""],
    ["header", header(), "message modal home"],
    ["input", input({ type: "datetimepicker" }), "message modal home"],
    ["rich_text", richText(), "message modal home"],
    ["section", section(), "message modal home"],
  ])("accepts %s where Slack does", (type, block, allowed) => {
    for (const surface of surfaces) {
      const expected = allowed.includes(surface) ? [] : [`unsupported type: ${type} [json-pointer:/blocks/0/type]`];
      expect([surface, validateBlocks([block], surface)]).toEqual([surface, expected]);
    }
  });

  const anywhere = "accessory actions input";
  test.each([
    ["button", "accessory actions"],
    ["checkboxes", anywhere],
    ["datetimepicker", "actions input"],
    ["timepicker", anywhere],
    ["email_text_input", "input"],
    ["number_input", "input"],
    ["plain_text_input", "input"],
    ["image", ""],
    ["url_text_input", ""],
    ["static_select", anywhere],
    ["external_select", anywhere],
    ["users_select", anywhere],
    ["multi_external_select", anywhere],
    ["overflow", "accessory actions"],
    ["radio_buttons", anywhere],
  ])("accepts %s inside a block where Slack does", (type, allowed) => {
    const element = elements[type] ?? { type };
    const places = [
      ["accessory", section({ accessory: element }), "/accessory/type"],
      ["actions", actions(element), "/elements/0/type"],
      ["input", input(element), "/element/type"],
      ["context", context(element), "/elements/0/type"],
    ] as const;
    for (const [place, block, path] of places) {
      const expected = allowed.includes(place) ? [] : [`unsupported type: ${type} [json-pointer:/blocks/0${path}]`];
      expect([place, validateBlocks([block], "modal")]).toEqual([place, expected]);
    }
  });

  test.each([
    ["message", 50],
    ["modal", 100],
    ["home", 100],
  ] as const)("of type %s has at most %i blocks", (surface, max) => {
    const dividers = (count: number) => Array.from({ length: count }, () => ({ type: "divider" }));
    expect(validateBlocks(dividers(max), surface)).toEqual([]);
    expect(validateBlocks(dividers(max + 1), surface)).toEqual([
      `no more than ${max} items allowed [json-pointer:/blocks]`,
    ]);
  });

  test("needs a list of blocks", () => {
    expect(validateBlocks({}, "message")).toEqual(["must provide an array [json-pointer:/blocks]"]);
  });

  test("reports pointers relative to its blocks", () => {
    expect(validateBlocks([{ type: "x" }], "message", "/attachments/0/blocks")).toEqual([
      "unsupported type: x [json-pointer:/attachments/0/blocks/0/type]",
    ]);
  });

  test("rejects a repeated block_id, even an empty one", () => {
    const twice = (block_id: string) => validateBlocks([section({ block_id }), { type: "divider", block_id }], "modal");
    expect(
      validateBlocks([section({ block_id: "a" }), section({ block_id: "b" }), section(), section()], "modal"),
    ).toEqual([]);
    expect(twice("a")).toEqual(['`block_id` "a" already exists [json-pointer:/blocks/1/block_id]']);
    expect(twice("")).toEqual(['`block_id` "" already exists [json-pointer:/blocks/1/block_id]']);
  });

  test("may have the same action_id in different blocks", () => {
    expect(validateBlocks([actions(button()), actions(button())], "message")).toEqual([]);
  });
});

describe("a message", () => {
  test("is too long above 13200 characters in all its blocks", () => {
    const sections = (last: number) =>
      [3000, 3000, 3000, 3000, last].map((count) => section({ text: mrkdwn(letters(count)) }));
    expect(messageLimit(sections(1200))).toBeUndefined();
    expect(messageLimit(sections(1201))).toBe("msg_blocks_too_long");
  });
});
