import { isJsonObject } from "../json-object.ts";
import { anyBlock, placedElements, repeated } from "./blocks.ts";
import { listOf, problem } from "./rule.ts";

export type Surface = "message" | "modal" | "home";

/** The problems for which Slack rejects the blocks, each with its JSON pointer; empty when valid (PLATFORM.md §8, §9.2). */
export function validateBlocks(blocks: unknown, surface: Surface, pointer = "/blocks"): string[] {
  const items = (Array.isArray(blocks) ? blocks : []).flatMap((item: unknown, index) =>
    isJsonObject(item) ? [{ item, at: `${pointer}/${index}` }] : [],
  );
  // Only one element per surface may have the focus. Slack's text for a second one is unknown.
  const focused = items.flatMap(({ item, at }) =>
    placedElements(item).flatMap(({ element, path }) =>
      element.focus_on_load === true ? [`${at}${path}/focus_on_load`] : [],
    ),
  );
  return [
    ...listOf(anyBlock, 0, surface === "message" ? 50 : 100)(blocks, pointer),
    ...repeated("block_id", items),
    ...focused.slice(1).flatMap((at) => problem("only one element may have `focus_on_load`", at)),
  ];
}

/** Undocumented; the value comes from one report (PLATFORM.md §8.1). */
const maxCharacters = 13_200;

/** The error code when each block is valid but together they are too large. */
export function messageLimit(blocks: unknown): "msg_blocks_too_long" | undefined {
  return textLength(blocks) > maxCharacters ? "msg_blocks_too_long" : undefined;
}

/** The total length of every `text`, at any depth. */
function textLength(value: unknown): number {
  if (Array.isArray(value)) return value.reduce((sum: number, item: unknown) => sum + textLength(item), 0);
  if (!isJsonObject(value)) return 0;
  return Object.entries(value).reduce(
    (sum, [name, item]) => sum + (name === "text" && typeof item === "string" ? item.length : textLength(item)),
    0,
  );
}
