import { isJsonObject, objectsIn } from "../json-object.ts";

/** Undocumented; the value comes from one report (PLATFORM.md §8.1). */
const maxCharacters = 13_200;

/** The error code when each block is valid but together they are too large. */
export function messageLimit(blocks: unknown): "msg_blocks_too_long" | "invalid_attachments" | undefined {
  if (objectsIn(blocks).filter(({ type }) => type === "table").length > 1) return "invalid_attachments";
  return textLength(blocks) > maxCharacters ? "msg_blocks_too_long" : undefined;
}

/** The total length of every `text`, at any depth. */
export function textLength(value: unknown): number {
  if (Array.isArray(value)) return value.reduce((sum: number, item: unknown) => sum + textLength(item), 0);
  if (!isJsonObject(value)) return 0;
  return Object.entries(value).reduce(
    (sum, [name, item]) => sum + (name === "text" && typeof item === "string" ? item.length : textLength(item)),
    0,
  );
}
