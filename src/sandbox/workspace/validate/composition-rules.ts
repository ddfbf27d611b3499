import {
  byType,
  type Check,
  characters,
  exactlyOne,
  fields,
  flag,
  listOf,
  oneOf,
  type Rule,
  type Shape,
  typed,
} from "./rule.ts";

/** A text object without formatting. `mrkdwn` is an unsupported type there (PLATFORM.md §8.5). */
export function plainText(max: number): Rule {
  return byType({ plain_text: textTypes(max).plain_text });
}

export function anyText(max: number): Rule {
  return byType(textTypes(max));
}

export function textTypes(max: number) {
  const text = characters(1, max);
  return {
    plain_text: typed({ text }, { emoji: flag }),
    mrkdwn: typed({ text }, { verbatim: flag }),
  } satisfies Shape;
}

export const selectOption: Rule = option(plainText);
/** For checkboxes and radio buttons, the only options with formatting. */
export const tickOption: Rule = option(anyText);
export const overflowOption: Rule = option(plainText, { url: characters(1, 3000) });

export const optionGroup: Rule = fields({ label: plainText(75), options: listOf(selectOption, 1, 100) });

export const optionsOrGroups = {
  options: listOf(selectOption, 1, 100),
  option_groups: listOf(optionGroup, 1, 100),
} satisfies Shape;

/** Formatting in `text` reportedly works, but only plain text is documented, so the sandbox accepts only that. */
export const confirmDialog: Rule = fields(
  { title: plainText(100), text: plainText(300), confirm: plainText(30), deny: plainText(30) },
  { style: oneOf("primary", "danger") },
);

export const conversationFilter: Rule = fields(
  {},
  {
    include: listOf(oneOf("im", "mpim", "private", "public"), 1, Number.POSITIVE_INFINITY),
    exclude_external_shared_channels: flag,
    exclude_bot_users: flag,
  },
  (filter, pointer) =>
    Object.keys(filter).length === 0 ? [`must have minimum 1 properties [json-pointer:${pointer}]`] : [],
);

export const dispatchActionConfig: Rule = fields({
  trigger_actions_on: listOf(oneOf("on_enter_pressed", "on_character_entered"), 1, 2),
});

/** The image source, shared by image blocks and image elements. */
export const imageSource = {
  image_url: characters(1, 3000),
  slack_file: fields({}, { id: characters(1, 255), url: characters(1, 3000) }, exactlyOne("id", "url")),
} satisfies Shape;

export const hasOneImageSource: Check = exactlyOne("image_url", "slack_file");

function option(text: (max: number) => Rule, more: Shape = {}): Rule {
  return fields({ text: text(75), value: characters(1, 150) }, { description: text(75), ...more });
}
