import { describe, expect, test } from "vitest";
import { validateBlocks } from "../../../../src/sandbox/workspace/blocks.ts";
import { confirm, elements, input } from "./samples.ts";

const of = (type: string, more: object = {}) => ({ ...elements[type], ...more });

/** Paths are relative to the element. */
type Row = readonly [rule: string, accepted: object, rejected: object, problem: string, path: string];

const inInputs: readonly Row[] = [
  [
    "text min_length is at least 0",
    of("plain_text_input", { min_length: 0 }),
    of("plain_text_input", { min_length: -1 }),
    "must be greater than 0",
    "/min_length",
  ],
  [
    "text min_length is at most 3000",
    of("plain_text_input", { min_length: 3000 }),
    of("plain_text_input", { min_length: 3001 }),
    "must be less than 3000",
    "/min_length",
  ],
  [
    "text max_length is at least 1",
    of("plain_text_input", { max_length: 1 }),
    of("plain_text_input", { max_length: 0 }),
    "must be greater than 1",
    "/max_length",
  ],
  [
    "text max_length is at most 3000",
    of("plain_text_input", { max_length: 3000 }),
    of("plain_text_input", { max_length: 3001 }),
    "must be less than 3000",
    "/max_length",
  ],
  [
    "text multiline is a boolean",
    of("plain_text_input", { multiline: true }),
    of("plain_text_input", { multiline: 1 }),
    "must be a boolean",
    "/multiline",
  ],
  [
    "text dispatches on known triggers",
    of("plain_text_input", { dispatch_action_config: { trigger_actions_on: ["on_enter_pressed"] } }),
    of("plain_text_input", { dispatch_action_config: { trigger_actions_on: ["on_blur"] } }),
    "must be a valid enum value",
    "/dispatch_action_config/trigger_actions_on/0",
  ],
  [
    "text dispatches on at least one trigger",
    of("plain_text_input", { dispatch_action_config: { trigger_actions_on: ["on_character_entered"] } }),
    of("plain_text_input", { dispatch_action_config: { trigger_actions_on: [] } }),
    "must provide at least 1 items",
    "/dispatch_action_config/trigger_actions_on",
  ],
  [
    "inputs have no confirm",
    of("plain_text_input"),
    of("plain_text_input", { confirm: confirm() }),
    "invalid additional property: confirm",
    "",
  ],
  [
    "number needs is_decimal_allowed",
    of("number_input"),
    { type: "number_input" },
    "missing required field: is_decimal_allowed",
    "",
  ],
  [
    "number values are strings",
    of("number_input", { initial_value: "42" }),
    of("number_input", { initial_value: 42 }),
    "must provide a string",
    "/initial_value",
  ],
  [
    "number limits are numbers in strings",
    of("number_input", { min_value: "-1.5" }),
    of("number_input", { max_value: "many" }),
    "input must match regex pattern: ^-?\\d+(\\.\\d+)?$",
    "/max_value",
  ],
  [
    "email initial value is a string",
    of("email_text_input", { initial_value: "a@b.co" }),
    of("email_text_input", { initial_value: null }),
    "must provide a string",
    "/initial_value",
  ],
];

describe("an element of an input block", () => {
  test.each(inInputs)("%s", (_, accepted, rejected, problem, path) => {
    expect(validateBlocks([input(accepted)], "message")).toEqual([]);
    expect(validateBlocks([input(rejected)], "message")).toEqual([
      `${problem} [json-pointer:/blocks/0/element${path}]`,
    ]);
  });
});
