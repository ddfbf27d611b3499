import { describe, expect, test } from "vitest";
import { isViewTooLarge, validateView } from "../../../../src/sandbox/workspace/blocks.ts";
import { input, letters, modal, mrkdwn, plain, section } from "./samples.ts";

const blocks = [section()];
const home = (more: object = {}) => ({ type: "home", blocks, ...more });
const view = (more: object = {}) => modal(blocks, more);

describe("a view", () => {
  test.each<readonly [string, unknown, unknown, string]>([
    [
      "title has at most 24 characters",
      view({ title: plain(letters(24)) }),
      view({ title: plain(letters(25)) }),
      "must be less than 25 characters [json-pointer:/view/title/text]",
    ],
    [
      "title is plain",
      view(),
      view({ title: mrkdwn("a") }),
      "unsupported type: mrkdwn [json-pointer:/view/title/type]",
    ],
    [
      "title is not empty",
      view(),
      view({ title: plain("") }),
      "must be more than 0 characters [json-pointer:/view/title/text]",
    ],
    ["modal has a title", view(), view({ title: undefined }), "missing required field: title [json-pointer:/view]"],
    [
      "submit has at most 24 characters",
      view({ submit: plain(letters(24)) }),
      view({ submit: plain(letters(25)) }),
      "must be less than 25 characters [json-pointer:/view/submit/text]",
    ],
    [
      "close has at most 24 characters",
      view({ close: plain(letters(24)) }),
      view({ close: plain(letters(25)) }),
      "must be less than 25 characters [json-pointer:/view/close/text]",
    ],
    [
      "private_metadata has at most 3000 characters",
      view({ private_metadata: letters(3000) }),
      view({ private_metadata: letters(3001) }),
      "must be less than 3001 characters [json-pointer:/view/private_metadata]",
    ],
    [
      "private_metadata is a string",
      view({ private_metadata: "{}" }),
      view({ private_metadata: {} }),
      "must provide a string [json-pointer:/view/private_metadata]",
    ],
    [
      "callback_id has at most 255 characters",
      view({ callback_id: letters(255) }),
      view({ callback_id: letters(256) }),
      "must be less than 256 characters [json-pointer:/view/callback_id]",
    ],
    [
      "submit_disabled is not supported",
      view(),
      view({ submit_disabled: true }),
      "invalid additional property: submit_disabled [json-pointer:/view]",
    ],
    ["view sends no id back", view(), view({ id: "V1" }), "invalid additional property: id [json-pointer:/view]"],
    ["view has blocks", view(), view({ blocks: undefined }), "missing required field: blocks [json-pointer:/view]"],
    ["view has a type", view(), view({ type: undefined }), "missing required field: type [json-pointer:/view]"],
    ["view is a modal or Home", home(), view({ type: "dialog" }), "unsupported type: dialog [json-pointer:/view/type]"],
    ["view is an object", view(), "{}", "must provide an object [json-pointer:/view]"],
    [
      "Home has no title",
      home(),
      home({ title: plain("a") }),
      "invalid additional property: title [json-pointer:/view]",
    ],
    [
      "view does not clear on close, which the sandbox does not simulate",
      home({ callback_id: "a" }),
      view({ clear_on_close: true }),
      "invalid additional property: clear_on_close [json-pointer:/view]",
    ],
    [
      "blocks follow the rules of their surface",
      home({ blocks: [{ type: "divider" }] }),
      view({ blocks: [{ type: "table", rows: [] }] }),
      "unsupported type: table [json-pointer:/view/blocks/0/type]",
    ],
    [
      "modal with inputs has a submit button",
      home({ blocks: [input({ type: "datetimepicker" })] }),
      modal([section(), input({ type: "datetimepicker" })], { submit: undefined }),
      "must define `submit` to use an `input` block in modals [json-pointer:/view/blocks/1/input]",
    ],
  ])("%s", (_, accepted, rejected, problem) => {
    expect(validateView(accepted)).toEqual([]);
    expect(validateView(rejected)).toEqual([problem]);
  });

  test("without inputs needs no submit button", () => {
    expect(validateView(view({ submit: undefined }))).toEqual([]);
  });

  test("is too large above 250 KB, counted in bytes", () => {
    const ofBytes = (bytes: number) => ({ a: "é".repeat((bytes - 8) / 2) });
    expect(isViewTooLarge(ofBytes(250_000))).toBe(false);
    expect(isViewTooLarge(ofBytes(250_002))).toBe(true);
    expect(isViewTooLarge(undefined)).toBe(false);
  });
});
