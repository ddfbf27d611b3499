import { isJsonObject, type JsonObject } from "../../../src/sandbox/workspace/json-object.ts";

export interface Variant {
  /** Such as `user.name: null`. */
  readonly name: string;
  readonly vary: (sent: JsonObject) => JsonObject;
}

/** Texts and blocks that people read; Curfew does not. */
const unread = new Set(["blocks", "text", "title", "submit", "close", "input_parameters", "output_parameters"]);

/** Each field of a shape, but for those that are needed: missing, null and empty. */
export function variantsOf(shape: JsonObject, needed: ReadonlySet<string>, path: readonly string[] = []): Variant[] {
  return Object.entries(shape).flatMap(([key, value]) => {
    const here = [...path, key];
    const name = here.join(".");
    const inner = Array.isArray(value) ? { ...value.slice(0, 1) } : value;
    const deeper = isJsonObject(inner) && !unread.has(key) ? variantsOf(inner, needed, here) : [];
    if (needed.has(name)) return deeper;
    const variant = (what: string, without: unknown) => ({
      name: `${name}: ${what}`,
      vary: (sent: JsonObject) => replaced(sent, here, without),
    });
    const empty = emptyOf(value);
    return [
      variant("missing", undefined),
      variant("null", null),
      ...(empty === undefined ? [] : [variant("empty", empty)]),
      ...deeper,
    ];
  });
}

function emptyOf(value: unknown): unknown {
  if (typeof value === "string") return "";
  if (Array.isArray(value)) return [];
  return isJsonObject(value) ? {} : undefined;
}

function replaced(sent: JsonObject, [key = "", ...rest]: readonly string[], by: unknown): JsonObject {
  if (rest.length === 0) {
    const { [key]: _, ...others } = sent;
    return by === undefined ? others : { ...others, [key]: by };
  }
  const inner = sent[key];
  if (isJsonObject(inner)) return { ...sent, [key]: replaced(inner, rest, by) };
  if (!Array.isArray(inner)) return sent;
  const [, ...deeper] = rest;
  const [first, ...others] = inner;
  const after = deeper.length > 0 && isJsonObject(first) ? [replaced(first, deeper, by), ...others] : others;
  return { ...sent, [key]: after };
}
