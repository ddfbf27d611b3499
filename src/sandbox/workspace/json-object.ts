/** A JSON object whose properties are not validated yet. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** What a form's elements hold, by block id, then by action id. */
export type StateValues = Readonly<Record<string, Readonly<Record<string, JsonObject>>>>;

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value when it is an object, else an empty object. */
export function objectAt(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}

export function objectsIn(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

export function stringsIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}

export function stringAt(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** The `text` of a text object, or the string itself. */
export function plainText(value: unknown): string {
  return typeof value === "string" ? value : (stringAt(objectAt(value).text) ?? "");
}

/** Undefined when the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
