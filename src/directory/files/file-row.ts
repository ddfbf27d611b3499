import type { DirectoryListName } from "../config-entities.ts";

/** An entry in a file, not yet checked. */
export interface FileRow {
  readonly list: DirectoryListName;
  readonly values: unknown;
  /** Where a field of it is, as `file:line:col`; without one, where it begins. */
  readonly placeOf: (field?: string) => string;
}

/** What a file holds, and what is wrong with it as `file:line:col: message`. */
export interface FileRows {
  readonly rows: readonly FileRow[];
  readonly problems: readonly string[];
  /** What was left out on purpose, in words. */
  readonly notes: readonly string[];
}
