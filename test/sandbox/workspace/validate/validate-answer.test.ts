import { describe, expect, test } from "vitest";
import { validateOptionsAnswer, validateSubmissionAnswer } from "../../../../src/sandbox/workspace/blocks.ts";
import { titled } from "../../../support/brief.ts";
import { input, letters, modal, mrkdwn, option, options, plain, section } from "./samples.ts";

const groups = (count: number) => Array.from({ length: count }, () => ({ label: plain("Group"), options: options(1) }));

describe("an answer with options", () => {
  test.each(titled([[{ options: [] }], [{ options: options(100) }], [{ option_groups: groups(100) }]]))(
    "may be %s",
    (_title, body) => {
      expect(validateOptionsAnswer(body)).toEqual([]);
    },
  );

  test.each(
    titled([
      [{ options: options(101) }, "no more than 100 items allowed [json-pointer:/options]"],
      [{ option_groups: groups(101) }, "no more than 100 items allowed [json-pointer:/option_groups]"],
      [{ options: [], option_groups: [] }, "must provide exactly one of `options` or `option_groups` [json-pointer:]"],
      [{}, "must provide exactly one of `options` or `option_groups` [json-pointer:]"],
      [{ options: [], more: true }, "invalid additional property: more [json-pointer:]"],
      [
        { options: [option("a", { text: mrkdwn("a") })] },
        "unsupported type: mrkdwn [json-pointer:/options/0/text/type]",
      ],
      [
        { options: [option("a", { text: plain(letters(76)) })] },
        "must be less than 76 characters [json-pointer:/options/0/text/text]",
      ],
      [
        { option_groups: [{ label: plain("a"), options: [] }] },
        "must provide at least 1 items [json-pointer:/option_groups/0/options]",
      ],
      ["ok", "must provide an object [json-pointer:]"],
      [undefined, "must provide an object [json-pointer:]"],
    ]),
  )("may not be %s", (_title, body, problem) => {
    expect(validateOptionsAnswer(body)).toEqual([problem]);
  });
});

describe("an answer to a submitted view", () => {
  const submitted = modal([
    section({ block_id: "intro" }),
    input({ type: "datepicker", action_id: "date" }, { block_id: "day/1" }),
  ]);
  const errors = (value: unknown) => ({ response_action: "errors", errors: value });

  test.each(
    titled([
      [undefined],
      [null],
      [""],
      [{ response_action: "update", view: modal([section()]) }],
      [errors({ "day/1": "That day is over." })],
    ]),
  )("may be %s", (_title, body) => {
    expect(validateSubmissionAnswer(body, submitted)).toEqual([]);
  });

  test.each(
    titled([
      ["ok", "must provide an object [json-pointer:]"],
      [{}, "missing required field: response_action [json-pointer:]"],
      [{ response_action: "close" }, "must be a valid enum value [json-pointer:/response_action]"],
      [
        { response_action: "update", view: modal([section()]), more: 1 },
        "invalid additional property: more [json-pointer:]",
      ],
      [{ response_action: "update" }, "missing required field: view [json-pointer:]"],
      [
        { response_action: "update", view: modal([{ type: "table", rows: [] }]) },
        "unsupported type: table [json-pointer:/view/blocks/0/type]",
      ],
      [
        { response_action: "update", view: { type: "home", blocks: [] } },
        "must match the `type` of the root view whose stack we're pushing onto [json-pointer:/view/type]",
      ],
      [{ response_action: "update", view: { text: letters(250_000) } }, "view_too_large [json-pointer:/view]"],
      [errors({}), "must have minimum 1 properties [json-pointer:/errors]"],
      [errors([]), "must provide an object [json-pointer:/errors]"],
      [errors({ "day/1": "" }), "must be more than 0 characters [json-pointer:/errors/day~11]"],
      [errors({ "day/1": 3 }), "must provide a string [json-pointer:/errors/day~11]"],
      [errors({ intro: "No." }), 'no `input` block has the block_id "intro" [json-pointer:/errors/intro]'],
      [errors({ date: "No." }), 'no `input` block has the block_id "date" [json-pointer:/errors/date]'],
    ]),
  )("may not be %s", (_title, body, problem) => {
    expect(validateSubmissionAnswer(body, submitted)).toEqual([problem]);
  });
});
