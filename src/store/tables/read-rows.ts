/** Told of a row that this version cannot read, and that is left out. */
export type OnUnreadable = (row: { readonly table: string; readonly id: string }, error: unknown) => void;

/** Reads row by row, so that one that cannot be read costs itself and not the list. */
export function readRows<R extends { readonly id: string }, T>(
  table: string,
  rows: readonly R[],
  read: (row: R) => T,
  onUnreadable: OnUnreadable,
): readonly T[] {
  return rows.flatMap((row) => {
    try {
      return [read(row)];
    } catch (error) {
      onUnreadable({ table, id: row.id }, error);
      return [];
    }
  });
}

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
