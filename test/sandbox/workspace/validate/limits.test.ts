import { describe, expect, test } from "vitest";
import { validateBlocks } from "../../../../src/sandbox/workspace/blocks.ts";
import {
  actions,
  button,
  confirm,
  context,
  elements,
  header,
  input,
  letters,
  mrkdwn,
  option,
  options,
  plain,
  section,
} from "./samples.ts";

const act = (type: string, more: object) => actions({ ...elements[type], ...more });
const choose = (more: object) => act("static_select", { options: [option("a", more)] });
const asks = (more: object) => actions(button({ confirm: confirm(more) }));
const dated = (more: object) => input({ type: "datetimepicker" }, more);
const group = (more: object = {}) => ({ label: plain("Group"), options: options(1), ...more });
const grouped = (...groups: readonly object[]) => actions({ type: "static_select", option_groups: groups });
const several = <T>(count: number, make: () => T): T[] => Array.from({ length: count }, make);

/** What is measured, its maximum length, a block with a text of any length there, and the JSON pointer in the block. */
const lengths: readonly (readonly [what: string, max: number, block: (text: string) => object, path: string])[] = [
  ["block_id", 255, (text) => section({ block_id: text }), "/block_id"],
  ["action_id", 255, (text) => actions(button({ action_id: text })), "/elements/0/action_id"],
  ["section text", 3000, (text) => section({ text: mrkdwn(text) }), "/text/text"],
  ["section field", 2000, (text) => section({ fields: [mrkdwn(text)] }), "/fields/0/text"],
  ["header text", 150, (text) => header({ text: plain(text) }), "/text/text"],
  ["context text", 3000, (text) => context(mrkdwn(text)), "/elements/0/text"],
  ["input label", 2000, (text) => dated({ label: plain(text) }), "/label/text"],
  ["input hint", 2000, (text) => dated({ hint: plain(text) }), "/hint/text"],
  ["button text", 75, (text) => actions(button({ text: plain(text) })), "/elements/0/text/text"],
  ["button value", 2000, (text) => actions(button({ value: text })), "/elements/0/value"],
  ["button URL", 3000, (text) => actions(button({ url: text })), "/elements/0/url"],
  ["confirm title", 100, (text) => asks({ title: plain(text) }), "/elements/0/confirm/title/text"],
  ["confirm text", 300, (text) => asks({ text: plain(text) }), "/elements/0/confirm/text/text"],
  ["confirm yes", 30, (text) => asks({ confirm: plain(text) }), "/elements/0/confirm/confirm/text"],
  ["confirm no", 30, (text) => asks({ deny: plain(text) }), "/elements/0/confirm/deny/text"],
  ["option text", 75, (text) => choose({ text: plain(text) }), "/elements/0/options/0/text/text"],
  ["option value", 150, (text) => choose({ value: text }), "/elements/0/options/0/value"],
  ["option description", 75, (text) => choose({ description: plain(text) }), "/elements/0/options/0/description/text"],
  [
    "overflow option URL",
    3000,
    (text) => act("overflow", { options: [option("a", { url: text })] }),
    "/elements/0/options/0/url",
  ],
  ["group label", 75, (text) => grouped(group({ label: plain(text) })), "/elements/0/option_groups/0/label/text"],
  ["placeholder", 150, (text) => act("users_select", { placeholder: plain(text) }), "/elements/0/placeholder/text"],
  ["initial text", 3000, (text) => input({ type: "plain_text_input", initial_value: text }), "/element/initial_value"],
];

/** The same for lists, with the maximum and minimum number of items. */
const counts: readonly (readonly [
  what: string,
  max: number,
  block: (count: number) => object,
  path: string,
  min: 0 | 1,
])[] = [
  ["section fields", 10, (count) => section({ fields: several(count, () => plain("a")) }), "/fields", 1],
  ["context elements", 10, (count) => context(...several(count, () => plain("a"))), "/elements", 1],
  [
    "actions elements",
    25,
    (count) => actions(...several(count, () => button({ action_id: undefined }))),
    "/elements",
    1,
  ],
  ["overflow options", 5, (count) => act("overflow", { options: options(count) }), "/elements/0/options", 1],
  ["checkboxes options", 10, (count) => act("checkboxes", { options: options(count) }), "/elements/0/options", 1],
  ["radio options", 10, (count) => act("radio_buttons", { options: options(count) }), "/elements/0/options", 1],
  ["select options", 100, (count) => act("static_select", { options: options(count) }), "/elements/0/options", 1],
  ["groups", 100, (count) => grouped(...several(count, () => group())), "/elements/0/option_groups", 1],
  [
    "group options",
    100,
    (count) => grouped(group({ options: options(count) })),
    "/elements/0/option_groups/0/options",
    1,
  ],
];

describe("the limit of", () => {
  test.each(lengths)("%s is %i characters", (_, max, block, path) => {
    expect(validateBlocks([block(letters(max))], "message")).toEqual([]);
    expect(validateBlocks([block(letters(max + 1))], "message")).toEqual([
      `must be less than ${max + 1} characters [json-pointer:/blocks/0${path}]`,
    ]);
  });

  test.each(counts)("%s is %i items", (_, max, block, path, min) => {
    const none = min === 0 ? [] : [`must provide at least 1 items [json-pointer:/blocks/0${path}]`];
    expect(validateBlocks([block(0)], "message")).toEqual(none);
    expect(validateBlocks([block(max)], "message")).toEqual([]);
    expect(validateBlocks([block(max + 1)], "message")).toEqual([
      `no more than ${max} items allowed [json-pointer:/blocks/0${path}]`,
    ]);
  });
});
