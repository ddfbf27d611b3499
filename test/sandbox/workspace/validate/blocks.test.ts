import { describe, expect, test } from "vitest";
import { validateBlocks } from "../../../../src/sandbox/workspace/blocks.ts";
import {
  actions,
  button,
  context,
  header,
  input,
  letters,
  mrkdwn,
  option,
  plain,
  richText,
  section,
} from "./samples.ts";

const rules: readonly (readonly [rule: string, accepted: unknown, rejected: unknown, problem: string])[] = [
  [
    "section text is not empty",
    section({ text: mrkdwn("x") }),
    section({ text: mrkdwn("") }),
    "must be more than 0 characters [json-pointer:/blocks/0/text/text]",
  ],
  [
    "section text is an object",
    section(),
    section({ text: "Hello" }),
    "must provide an object [json-pointer:/blocks/0/text]",
  ],
  [
    "section needs text or fields",
    { type: "section", fields: [plain("a")] },
    { type: "section" },
    "must define either `text` or `fields` [json-pointer:/blocks/0]",
  ],
  [
    "section fields have at most 2000 characters",
    section({ fields: [mrkdwn(letters(2000))] }),
    section({ fields: [mrkdwn(letters(2001))] }),
    "must be less than 2001 characters [json-pointer:/blocks/0/fields/0/text]",
  ],
  [
    "no block has an unknown property",
    section(),
    section({ colour: "red" }),
    "invalid additional property: colour [json-pointer:/blocks/0]",
  ],
  [
    "emoji belongs to plain text",
    section({ text: { ...plain("a"), emoji: false } }),
    section({ text: { ...mrkdwn("a"), emoji: true } }),
    "invalid additional property: emoji [json-pointer:/blocks/0/text]",
  ],
  [
    "verbatim belongs to mrkdwn",
    section({ text: { ...mrkdwn("a"), verbatim: true } }),
    section({ text: { ...plain("a"), verbatim: true } }),
    "invalid additional property: verbatim [json-pointer:/blocks/0/text]",
  ],
  [
    "header text is plain",
    header(),
    header({ text: mrkdwn("a") }),
    "unsupported type: mrkdwn [json-pointer:/blocks/0/text/type]",
  ],
  ["header has a text", header(), { type: "header" }, "missing required field: text [json-pointer:/blocks/0]"],
  [
    "context holds texts only",
    context(mrkdwn("a"), plain("b")),
    context(button()),
    "unsupported type: button [json-pointer:/blocks/0/elements/0/type]",
  ],
  [
    "divider has nothing but a block_id",
    { type: "divider", block_id: "d" },
    { type: "divider", text: plain("a") },
    "invalid additional property: text [json-pointer:/blocks/0]",
  ],
  [
    "action ids differ within a block",
    actions(button(), button({ action_id: "stop" })),
    actions(button(), button()),
    '`action_id` "go" already exists [json-pointer:/blocks/0/elements/1/action_id]',
  ],
  [
    "input label is plain",
    input({ type: "datetimepicker" }),
    input({ type: "datetimepicker" }, { label: mrkdwn("a") }),
    "unsupported type: mrkdwn [json-pointer:/blocks/0/label/type]",
  ],
  [
    "input has an element",
    input({ type: "datetimepicker" }),
    { type: "input", label: plain("a") },
    "missing required field: element [json-pointer:/blocks/0]",
  ],
  [
    "input optional is a boolean",
    input({ type: "datetimepicker" }, { optional: true }),
    input({ type: "datetimepicker" }, { optional: "no" }),
    "must be a boolean [json-pointer:/blocks/0/optional]",
  ],
  [
    "rich text has only its own elements",
    richText({ type: "text", text: "a" }),
    { type: "rich_text", elements: [plain("a")] },
    "unsupported type: plain_text [json-pointer:/blocks/0/elements/0/type]",
  ],
  [
    "rich text is exact text",
    richText({ type: "text", text: "a" }),
    richText({ type: "link", url: "https://a.example" }),
    "unsupported type: link [json-pointer:/blocks/0/elements/0/elements/0/type]",
  ],
  [
    "blocks have a type",
    { type: "divider" },
    { text: plain("a") },
    "missing required field: type [json-pointer:/blocks/0]",
  ],
  [
    "blocks have a known type",
    { type: "divider" },
    { type: "constructor" },
    "unsupported type: constructor [json-pointer:/blocks/0/type]",
  ],
  ["block types are strings", { type: "divider" }, { type: 3 }, "must provide a string [json-pointer:/blocks/0/type]"],
  ["blocks are objects", { type: "divider" }, null, "must provide an object [json-pointer:/blocks/0]"],
  [
    "values of options are not empty",
    actions({ type: "overflow", options: [option("a")] }),
    actions({ type: "overflow", options: [option("a", { value: "" })] }),
    "must be more than 0 characters [json-pointer:/blocks/0/elements/0/options/0/value]",
  ],
];

describe("a block of a message", () => {
  test.each(rules)("%s", (_, accepted, rejected, problem) => {
    expect(validateBlocks([accepted], "message")).toEqual([]);
    expect(validateBlocks([rejected], "message")).toEqual([problem]);
  });

  test("reports every problem", () => {
    expect(validateBlocks([header({ text: plain(""), size: 1 }), { type: "nothing" }], "message")).toEqual([
      "must be more than 0 characters [json-pointer:/blocks/0/text/text]",
      "invalid additional property: size [json-pointer:/blocks/0]",
      "unsupported type: nothing [json-pointer:/blocks/1/type]",
    ]);
  });
});
