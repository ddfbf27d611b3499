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
