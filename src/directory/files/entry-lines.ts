import { csvLine } from "../../observability/csv-line.ts";
import { escapeUnsafe } from "../../observability/unsafe-characters.ts";
import { type DirectoryItem, type DirectoryListName, directoryLists } from "../config-entities.ts";

/** Entries as CSV, which starts with the column names. */
export async function* csvEntries(
  list: DirectoryListName,
  items: AsyncIterable<DirectoryItem>,
): AsyncGenerator<string> {
  const { fields } = directoryLists[list];
  yield csvLine(fields);
  for await (const item of items) yield csvLine(fields.map((field) => item[field]));
}

/** Lists as JSON in the form of the config's `directory`, one entry a line. */
export async function* jsonEntries(
  lists: Iterable<readonly [DirectoryListName, AsyncIterable<DirectoryItem>]>,
): AsyncGenerator<string> {
  let isFirst = true;
  for (const [list, items] of lists) {
    yield `${isFirst ? "{" : ","}\n  ${JSON.stringify(list)}: [`;
    isFirst = false;
    let separator = "\n";
    for await (const item of items) {
      yield `${separator}    ${escapeUnsafe(JSON.stringify(item, (_field, value) => value ?? undefined))}`;
      separator = ",\n";
    }
    yield separator === "\n" ? "]" : "\n  ]";
  }
  yield isFirst ? "{}\n" : "\n}\n";
}
