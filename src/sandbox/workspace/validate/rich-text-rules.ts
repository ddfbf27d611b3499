import {
  byType,
  characters,
  fields,
  flag,
  integerBetween,
  listOf,
  oneOf,
  type Rule,
  type Shape,
  typed,
} from "./rule.ts";

const anyNumber = Number.POSITIVE_INFINITY;
const id = characters(1, 255);
const style = fields({}, { bold: flag, italic: flag, strike: flag, code: flag, underline: flag });
const mentionStyle = fields(
  {},
  {
    bold: flag,
    italic: flag,
    strike: flag,
    code: flag,
    underline: flag,
    highlight: flag,
    client_highlight: flag,
    unlink: flag,
  },
);

const inlineRules = {
  text: typed({ text: characters(1, anyNumber) }, { style }),
  link: typed({ url: characters(1, 3000) }, { text: characters(0, anyNumber), unsafe: flag, style }),
  emoji: typed({ name: id }, { unicode: id, url: characters(1, 3000), style }),
  user: typed({ user_id: id }, { style: mentionStyle }),
  channel: typed({ channel_id: id }, { style: mentionStyle }),
  usergroup: typed({ usergroup_id: id }, { style: mentionStyle }),
  team: typed({ team_id: id }, { style: mentionStyle }),
  broadcast: typed({ range: oneOf("here", "channel", "everyone") }, { style: mentionStyle }),
  date: typed(
    { timestamp: integerBetween(0, 9_999_999_999), format: characters(1, anyNumber) },
    { fallback: characters(0, anyNumber), url: characters(1, 3000), style },
  ),
  color: typed({ value: id }, { style }),
} satisfies Shape;

const inline = listOf(byType(inlineRules), 0, anyNumber);
const border = oneOf(0, 1);
const section = typed({ elements: inline });

/** A `rich_text` block (PLATFORM.md §8.5). */
export const richTextBlock: Rule = byType({
  rich_text: typed(
    {
      elements: listOf(
        byType({
          rich_text_section: section,
          rich_text_preformatted: typed({ elements: inline }, { border }),
          rich_text_quote: typed({ elements: inline }, { border }),
          rich_text_list: typed(
            {
              style: oneOf("bullet", "ordered"),
              elements: listOf(byType({ rich_text_section: section }), 0, anyNumber),
            },
            { indent: integerBetween(0, 8), offset: integerBetween(0, anyNumber), border },
          ),
        }),
        0,
        anyNumber,
      ),
    },
    { block_id: characters(0, 255) },
  ),
});
