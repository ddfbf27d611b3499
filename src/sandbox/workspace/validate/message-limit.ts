import { isJsonObject, objectsIn } from "../json-object.ts";

/** Not documented; one report puts it here (platform.md §8.1). */
const mostCharacters = 13_200;

/** The error code of a message whose blocks are each right but too much together. */
export function messageLimit(blocks: unknown): "msg_blocks_too_long" | "invalid_attachments" | undefined {
  if (objectsIn(blocks).filter(({ type }) => type === "table").length > 1) return "invalid_attachments";
  return textLength(blocks) > mostCharacters ? "msg_blocks_too_long" : undefined;
}

/** The length of every `text` inside, at any depth. */
export function textLength(value: unknown): number {
  if (Array.isArray(value)) return value.reduce((sum: number, item: unknown) => sum + textLength(item), 0);
  if (!isJsonObject(value)) return 0;
  return Object.entries(value).reduce(
    (sum, [name, item]) => sum + (name === "text" && typeof item === "string" ? item.length : textLength(item)),
    0,
  );
}
