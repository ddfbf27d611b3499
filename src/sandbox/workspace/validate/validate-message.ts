import { isJsonObject, type JsonObject, stringAt } from "../json-object.ts";
import { blockOn } from "./block-rules.ts";
import { elementsOf } from "./elements-of.ts";
import { textLength } from "./message-limit.ts";
import type { Surface } from "./placement.ts";
import { listOf, problem } from "./rule.ts";

/** The problems for which Slack rejects the blocks, each with its JSON pointer; empty when valid (PLATFORM.md §8, §9.2). */
export function validateBlocks(blocks: unknown, surface: Surface, pointer = "/blocks"): string[] {
  const each = listOf(blockOn[surface], 0, surface === "message" ? 50 : 100)(blocks, pointer);
  const placed = placedBlocks(blocks, pointer);
  return [
    ...each,
    ...repeatedBlockIds(placed),
    ...repeatedFocus(placed),
    ...overflowing(placed, "markdown", 12_000, "/text"),
    ...overflowing(placed, "table", 10_000, ""),
  ];
}

interface PlacedBlock {
  readonly block: JsonObject;
  readonly at: string;
}

function placedBlocks(blocks: unknown, pointer: string): readonly PlacedBlock[] {
  if (!Array.isArray(blocks)) return [];
  return blocks.flatMap((block: unknown, index) => (isJsonObject(block) ? [{ block, at: `${pointer}/${index}` }] : []));
}

/** The text follows the one observed for `action_id`. */
function repeatedBlockIds(blocks: readonly PlacedBlock[]): readonly string[] {
  const seen = new Set<string>();
  return blocks.flatMap(({ block, at }) => {
    const id = block.type === "markdown" ? undefined : stringAt(block.block_id);
    if (id === undefined) return [];
    const isTaken = seen.has(id);
    seen.add(id);
    return isTaken ? problem(`\`block_id\` "${id}" already exists`, `${at}/block_id`) : [];
  });
}

/** Only one element per surface may have the focus. Slack's text for a second one is unknown. */
function repeatedFocus(blocks: readonly PlacedBlock[]): readonly string[] {
  const focused = blocks.flatMap(({ block, at }) =>
    elementsOf(block)
      .filter(({ element }) => element.focus_on_load === true)
      .map(({ path }) => `${at}${path}/focus_on_load`),
  );
  return focused.slice(1).flatMap((at) => problem("only one element may have `focus_on_load`", at));
}

/** Blocks of one type share a limit. Reports the first block that exceeds it. */
function overflowing(blocks: readonly PlacedBlock[], type: string, max: number, path: string): readonly string[] {
  let length = 0;
  for (const { block, at } of blocks.filter((each) => each.block.type === type)) {
    length += textLength(block);
    if (length > max) return problem(`must be less than ${max + 1} characters`, `${at}${path}`);
  }
  return [];
}
