import type { DirectoryListName } from "../config-entities.ts";

/** Of one file. More do not fit into the memory that a start allows. */
export const maxEntries = 100_000;
export const tooManyEntries =
  "the file has more than 100,000 entries: split it, since each import adds to the earlier ones";

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
