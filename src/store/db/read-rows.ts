/** Called for a row that this version cannot read and skips. */
import { groupBy } from "../../time/group-by.ts";
export type OnUnreadable = (row: { readonly table: string; readonly id: string }, error: unknown) => void;

/** Reads row by row: an unreadable row is skipped, not the whole list. */
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

/** Gives the rows of a key, in their order. */
export function grouped<R>(rows: readonly R[], keyOf: (row: R) => string): (key: string) => readonly R[] {
  const groups = groupBy(rows, keyOf);
  return (key) => groups.get(key) ?? [];
}

/** Values that both databases store unchanged. */
export type Storable = string | number | bigint | null | Uint8Array;

/**
 * Makes both databases store the same. Throws for a Date or a boolean, which they would store differently. Replaces U+0000,
 * which ends a text in SQLite and which PostgreSQL refuses.
 */
export function storable(values: readonly unknown[]): Storable[] {
  return values.map((value) => {
    if (typeof value === "string") return value.replaceAll("\0", "\ufffd");
    if (value === null || typeof value === "number" || typeof value === "bigint" || value instanceof Uint8Array)
      return value;
    throw new TypeError(`cannot store a ${typeof value}`);
  });
}
