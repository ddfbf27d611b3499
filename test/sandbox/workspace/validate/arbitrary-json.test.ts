import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  fillDefaults,
  initialState,
  isViewTooLarge,
  messageLimit,
  validateBlocks,
  validateOptionsAnswer,
  validateSubmissionAnswer,
  validateView,
} from "../../../../src/sandbox/workspace/blocks.ts";
import { isJsonObject } from "../../../../src/sandbox/workspace/json-object.ts";
import { elements } from "./samples.ts";

const blockTypes = ["section", "actions", "input", "context", "header", "rich_text", "toString"];
const names = [
  "text",
  "type",
  "elements",
  "element",
  "accessory",
  "fields",
  "options",
  "option_groups",
  "block_id",
  "label",
];
const types = [...blockTypes, ...Object.keys(elements), "plain_text", "mrkdwn", "modal", "home", "__proto__"];

/** JSON from names and types that validators check, so that it passes their first checks. */
const blockLike = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 5 },
    fc.jsonValue({ maxDepth: 1 }),
    fc.array(tie("value"), { maxLength: 3 }),
    tie("object"),
  ),
  object: fc
    .tuple(
      fc.constantFrom(...types),
      fc.dictionary(fc.constantFrom(...names, "blocks", "view", "errors"), tie("value"), { maxKeys: 5 }),
    )
    .map(([type, rest]) => ({ ...rest, type })),
}));
const json = fc.oneof(fc.jsonValue(), blockLike.value);
const wellPointed = /\[json-pointer:(\/[^\]]*)?\]$/s;

describe("for any JSON an app sends,", () => {
  test("validators return problems with pointers and never throw", () => {
    fc.assert(
      fc.property(json, json, (value, other) => {
        const problems = [
          ...(["message", "modal", "home"] as const).flatMap((surface) => validateBlocks(value, surface)),
          ...validateBlocks([value, other], "message"),
          ...validateView(value),
          ...validateView({ type: "modal", title: value, blocks: [other] }),
          ...validateOptionsAnswer(value),
          ...validateOptionsAnswer({ options: value }),
          ...validateSubmissionAnswer(value, other),
          ...validateSubmissionAnswer({ response_action: "errors", errors: { a: value } }, other),
        ];
        messageLimit(value);
        isViewTooLarge(value);
        return problems.every((problem) => wellPointed.test(problem));
      }),
      { numRuns: 400 },
    );
  });

  test("objects can be filled in and have a state", () => {
    fc.assert(
      fc.property(fc.array(json, { maxLength: 4 }), (values) => {
        const filled = fillDefaults(values.filter(isJsonObject), () => "r");
        initialState(filled);
        return filled.every(({ block_id }) => typeof block_id === "string" && block_id !== "");
      }),
      { numRuns: 200 },
    );
  });

  test("filling in defaults twice changes nothing more", () => {
    fc.assert(
      fc.property(fc.array(json, { maxLength: 4 }), (values) => {
        const once = fillDefaults(values.filter(isJsonObject), () => "r");
        expect(fillDefaults(once, () => "s")).toEqual(once);
      }),
      { numRuns: 200 },
    );
  });
});
