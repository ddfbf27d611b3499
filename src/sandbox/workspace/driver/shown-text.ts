import { isJsonObject } from "../json-object.ts";

/** Every text in blocks, a message or a view, in order, one per line. */
export function shownText(blocks: unknown): string {
  return textsIn(blocks).join("\n");
}

function textsIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(textsIn);
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, item]) =>
    key === "text" && typeof item === "string" ? [item] : textsIn(item),
  );
}
