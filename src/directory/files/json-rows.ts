import { placesIn } from "../../config/yaml-source.ts";
import { type DirectoryListName, directoryListNames, isDirectoryListName } from "../config-entities.ts";
import { type FileRow, type FileRows, maxEntries, tooManyEntries } from "./file-row.ts";

/** The rows of a JSON file: lists as in the config's `directory`, or one list. `text` is without a byte order mark. */
export function jsonRows(
  text: string,
  { file, list }: { readonly file: string; readonly list: DirectoryListName | undefined },
): FileRows {
  const place = placesIn(text, file);
  const failed = (offset: number, problem: string): FileRows => ({
    ...{ rows: [], notes: [] },
    problems: [`${place(offset)}: ${problem}`],
  });
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return failed(Number(/position (\d+)/.exec(message)?.[1] ?? text.length), `this is not JSON: ${message}`);
  }
  const lists = Array.isArray(content) ? [content] : Object.values(Object(content));
  if (lists.some((each) => Array.isArray(each) && each.length > maxEntries)) return failed(0, tooManyEntries);
  const offsetOf = createOffsets(text);
  if (Array.isArray(content)) {
    if (list === undefined) return failed(0, nameTheList);
    return { rows: rowsOf(list, content, (path) => place(offsetOf(path))), problems: [], notes: [] };
  }
  const rows: FileRow[] = [];
  const problems: string[] = [];
  for (const [name, items] of Object.entries(Object(content))) {
    const at = () => place(offsetOf([name]));
    if (!isDirectoryListName(name))
      problems.push(`${at()}: unknown list "${name}"; known here: ${directoryListNames.join(", ")}`);
    else if (!Array.isArray(items)) problems.push(`${at()} ${name}: must be a list`);
    else rows.push(...rowsOf(name, items, (path) => place(offsetOf([name, ...path]))));
  }
  return { rows, problems, notes: [] };
}

export const nameTheList = `say what it lists with --kind: ${directoryListNames.join(", ")}`;

type Path = readonly (string | number)[];

function rowsOf(list: DirectoryListName, items: readonly unknown[], placeOf: (path: Path) => string): FileRow[] {
  return items.map((values, index) => ({
    ...{ list, values },
    placeOf: (field) => placeOf(field === undefined ? [index] : [index, field]),
  }));
}

interface Child {
  readonly key: string | number;
  /** Where it begins; of an entry with a name, its name. */
  readonly from: number;
  readonly value: number;
}

/** Finds places in a text that is JSON. Only a problem is ever looked for, but there may be many in one long list. */
function createOffsets(text: string): (path: Path) => number {
  const known = new Map<number, ReadonlyMap<string | number, Child>>();
  const childrenAt = (offset: number) => {
    const children = known.get(offset) ?? new Map(childrenOf(text, offset).map((child) => [child.key, child]));
    known.set(offset, children);
    return children;
  };
  return (path) => {
    let [value, from] = [Math.max(text.search(/\S/), 0), 0];
    for (const key of path) {
      const child = childrenAt(value).get(key);
      // A field that is missing is looked for where its entry begins.
      if (child === undefined) break;
      ({ value, from } = child);
    }
    return from === 0 ? value : from;
  };
}

const token = /"(?:[^"\\]|\\.)*"|[[\]{}:,]|[^\s[\]{}:,"]+/g;

/** The items of the list, or the entries of the object, that begins here. */
function childrenOf(text: string, start: number): readonly Child[] {
  const children: Child[] = [];
  let depth = 0;
  let before = "";
  let name: { readonly key: string; readonly from: number } | undefined;
  token.lastIndex = start;
  const isObject = text[start] === "{";
  for (let match = token.exec(text); match !== null; match = token.exec(text)) {
    const [found] = match;
    const closes = found === "]" || found === "}";
    if (closes && --depth === 0) break;
    if (depth === 1 && !closes && found !== "," && found !== ":") {
      if (isObject && before !== ":") name = { key: JSON.parse(found), from: match.index };
      else children.push({ key: children.length, from: match.index, ...name, value: match.index });
    }
    if (found === "[" || found === "{") depth += 1;
    if (depth === 1 || closes) before = found;
    if (depth === 0) break;
  }
  return children;
}
