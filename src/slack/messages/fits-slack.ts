import type { KnownBlock } from "@slack/types";
import { limits, type Message } from "./message.ts";

/**
 * Whether Slack takes the message, by the rules that a text or a list can break (PLATFORM.md §8). Where Slack reports nothing when it
 * refuses a message, nothing else may be sent.
 */
export function fitsSlack({ text, blocks }: Message): boolean {
  const parts = blocks.flatMap((block) => partsIn(block));
  const actionIds = parts.flatMap(({ action_id: id }) => (typeof id === "string" ? [id] : []));
  const characters = parts.reduce((sum, part) => sum + (typeof part.text === "string" ? part.text.length : 0), 0);
  return (
    text !== "" &&
    blocks.length <= limits.blocksInMessage &&
    characters <= limits.messageCharacters &&
    new Set(actionIds).size === actionIds.length &&
    blocks.every(fits) &&
    parts.every(partFits)
  );
}

type Part = Readonly<Record<string, unknown>>;

/** Every object in a block. */
function partsIn(value: unknown): readonly Part[] {
  if (Array.isArray(value)) return value.flatMap(partsIn);
  if (typeof value !== "object" || value === null) return [];
  return [{ ...value }, ...Object.values(value).flatMap(partsIn)];
}

function fits(block: KnownBlock): boolean {
  if (block.type === "section") return (block.fields?.length ?? 1) <= limits.fieldsInSection;
  if (block.type === "actions") return block.elements.length > 0 && block.elements.length <= maxElements;
  return block.type !== "context" || (block.elements.length > 0 && block.elements.length <= maxInContext);
}

const maxElements = 25;
const maxInContext = 10;
const maxActionId = 255;

function partFits({ type, text, value, action_id: id }: Part): boolean {
  if (typeof text === "string") return text !== "" && text.length <= limits.sectionText;
  if (type !== "button") return true;
  const [label] = partsIn(text);
  return (
    String(label?.text ?? "").length <= limits.buttonText &&
    String(value ?? "").length <= limits.buttonValue &&
    String(id ?? "").length <= maxActionId
  );
}
