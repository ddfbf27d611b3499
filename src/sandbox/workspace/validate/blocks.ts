import { isJsonObject, type JsonObject, stringAt } from "../json-object.ts";
import { anyText, elementAt, id, plainText } from "./elements.ts";
import {
  anyNumber,
  byType,
  type Check,
  characters,
  fields,
  flag,
  integerBetween,
  listOf,
  oneOf,
  problem,
  type Rule,
  type Shape,
  typed,
} from "./rule.ts";

// The blocks that Curfew sends. Any other is refused as unknown.

const inlineStyle = fields(
  Object.fromEntries(["bold", "italic", "strike", "code", "underline"].map((name) => [`${name}?`, flag])),
);
const inline = listOf(
  byType({
    text: typed({ text: characters(1, anyNumber), "style?": inlineStyle }),
    link: typed({ url: characters(1, 3000), "text?": characters(0, anyNumber), "style?": inlineStyle }),
    emoji: typed({ name: id, "style?": inlineStyle }),
    user: typed({ user_id: id, "style?": inlineStyle }),
    channel: typed({ channel_id: id, "style?": inlineStyle }),
    usergroup: typed({ usergroup_id: id, "style?": inlineStyle }),
    broadcast: typed({ range: oneOf("here", "channel", "everyone"), "style?": inlineStyle }),
    date: typed({
      timestamp: integerBetween(0, 9_999_999_999),
      format: characters(1, anyNumber),
      "style?": inlineStyle,
      "fallback?": characters(0, anyNumber),
      "url?": characters(1, 3000),
    }),
  }),
  ...([0, anyNumber] as const),
);
const border = { "border?": oneOf(0, 1) };
const richTextPart = byType({
  rich_text_section: typed({ elements: inline }),
  rich_text_preformatted: typed({ elements: inline, ...border }),
  rich_text_quote: typed({ elements: inline, ...border }),
  rich_text_list: typed({
    style: oneOf("bullet", "ordered"),
    "indent?": integerBetween(0, 8),
    "offset?": integerBetween(0, anyNumber),
    elements: listOf(byType({ rich_text_section: typed({ elements: inline }) }), 0, anyNumber),
    ...border,
  }),
});

const block = (shape: Shape, ...checks: readonly Check[]): Rule =>
  typed({ "block_id?": characters(0, 255), ...shape }, ...checks);

/** Each block with its fields and limits, on every surface (PLATFORM.md §8.2). */
export const anyBlock: Rule = byType({
  section: block(
    {
      "text?": anyText(3000),
      "fields?": listOf(anyText(2000), 1, 10),
      "accessory?": elementAt("accessory"),
      "expand?": flag,
    },
    ({ text, fields }, pointer) =>
      text === undefined && fields === undefined ? problem("must define either `text` or `fields`", pointer) : [],
  ),
  actions: block({ elements: listOf(elementAt("actions"), 1, 25) }, actionIdsDiffer),
  context: block({ elements: listOf(anyText(3000), 1, 10) }),
  input: block({
    label: plainText(2000),
    element: elementAt("input"),
    "hint?": plainText(2000),
    "optional?": flag,
    "dispatch_action?": flag,
  }),
  rich_text: block({ elements: listOf(richTextPart, 0, anyNumber) }),
  header: block({ text: plainText(150) }),
  divider: block({}),
});

export interface PlacedElement {
  readonly element: JsonObject;
  /** Its place inside the block, as the end of a JSON pointer. */
  readonly path: string;
}

/** The interactive elements of a block. */
export function placedElements(given: JsonObject): readonly PlacedElement[] {
  const inside = given.type === "actions" && Array.isArray(given.elements) ? given.elements : [];
  const places: readonly (readonly [string, unknown])[] = [
    ["/accessory", given.type === "section" ? given.accessory : undefined],
    ["/element", given.type === "input" ? given.element : undefined],
    ...inside.map((element: unknown, index) => [`/elements/${index}`, element] as const),
  ];
  return places.flatMap(([path, element]) => (isJsonObject(element) ? [{ path, element }] : []));
}

/** A problem for each id that an earlier item has. */
export function repeated(
  name: "action_id" | "block_id",
  items: readonly { readonly item: JsonObject; readonly at: string }[],
): readonly string[] {
  const seen = new Set<string>();
  return items.flatMap(({ item, at }) => {
    const given = stringAt(item[name]);
    if (given === undefined) return [];
    const isTaken = seen.has(given);
    seen.add(given);
    return isTaken ? problem(`\`${name}\` "${given}" already exists`, `${at}/${name}`) : [];
  });
}

function actionIdsDiffer(actions: JsonObject, pointer: string): readonly string[] {
  const placed = placedElements(actions).map(({ element: item, path }) => ({ item, at: pointer + path }));
  return repeated("action_id", placed);
}
