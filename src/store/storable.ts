/** What both databases keep as it is. */
export type Storable = string | number | bigint | null | Uint8Array;

/**
 * The values of a statement as both databases keep them alike, or an error for what they would not. A Date or a boolean would
 * become something else in the one than in the other; U+0000 would end the text in SQLite, and PostgreSQL refuses it.
 */
export function storable(values: readonly unknown[]): Storable[] {
  return values.map((value) => {
    if (typeof value === "string") return value.replaceAll("\0", "\ufffd");
    if (value === null || typeof value === "number" || typeof value === "bigint" || value instanceof Uint8Array)
      return value;
    throw new TypeError(`cannot store a ${typeof value}`);
  });
}
