import { issueInWords, problemsOf } from "../../config/yaml-source.ts";
import { unsafeCharacters } from "../../observability/unsafe-characters.ts";
import { type DirectoryListName, directoryListNames, directoryLists } from "../config-entities.ts";
import type { NewEntity } from "../directory.ts";
import { csvRows } from "./csv-rows.ts";
import { type FileRow, type FileRows, maxEntries, tooManyEntries } from "./file-row.ts";
import { jsonRows, nameTheList } from "./json-rows.ts";

export type ReadEntries =
  | { readonly kind: "entries"; readonly entities: readonly NewEntity[]; readonly notes: readonly string[] }
  | { readonly kind: "problems"; readonly problems: readonly string[] };

const maxLength = 20_000_000;

/** Reads the entries of a CSV or JSON file, or lists everything wrong with it. `list`: what it lists, where its name does not say that. */
export function readEntries(text: string, file: string, list = listNamedBy(file)): ReadEntries {
  const failed = (problem: string): ReadEntries => ({ kind: "problems", problems: [`${file}:1:1: ${problem}`] });
  if (text.length > maxLength) return failed("the file is longer than 20 million characters: split it");
  if (text.includes("\ufffd")) return failed("the file is not UTF-8: save it as “CSV UTF-8”");
  const content = text.replace(/^\ufeff/, "");
  const isJson = /^\s*[[{]/.test(content);
  if (!isJson && list === undefined) return failed(`${nameTheList}; or name the file so, such as users.csv`);
  const read = isJson || list === undefined ? jsonRows(content, { file, list }) : csvRows(content, { file, list });
  return read.rows.length > maxEntries ? failed(tooManyEntries) : check(read);
}

/** “users.csv” and “users-2026.json” list users. */
function listNamedBy(file: string): DirectoryListName | undefined {
  const name = file.split(/[/\\]/).at(-1)?.toLowerCase() ?? "";
  return directoryListNames.find((list) => new RegExp(`^${list}(?![a-z])`).test(name));
}

function check({ rows, problems, notes }: FileRows): ReadEntries {
  const found: string[] = [...problems];
  const entities: NewEntity[] = [];
  const seen = createSeen();
  for (const row of rows) {
    const { entity, issues } = directoryLists[row.list].read(row.values, issueInWords);
    const wrong = [
      ...issues.flatMap(problemsOf).map(({ path: [field], message }) => remark(row, field, message)),
      ...textProblems(row),
      ...seen(row),
    ];
    found.push(...wrong);
    if (entity !== undefined && wrong.length === 0) entities.push(entity);
  }
  return found.length > 0
    ? { kind: "problems", problems: found.toSorted(byPlace) }
    : { kind: "entries", entities, notes: entities.length === 0 ? [...notes, nothingInIt] : notes };
}

const nothingInIt = "The file has no entries: nothing below its first line, or an empty list.";

function byPlace(one: string, other: string): number {
  const [line = 0, column = 0] = placeIn(one);
  const [otherLine = 0, otherColumn = 0] = placeIn(other);
  return line - otherLine || column - otherColumn;
}

const placeIn = (problem: string): readonly number[] => (/:(\d+):(\d+)[: ]/.exec(problem) ?? []).slice(1).map(Number);

function remark({ placeOf }: FileRow, field: PropertyKey | undefined, message: string): string {
  return field === undefined ? `${placeOf()}: ${message}` : `${placeOf(String(field))} ${String(field)}: ${message}`;
}

const maxText = 200;
const maxAddress = 254;

/** Beyond what the schema says: what a person could not type, and what no id is. */
function textProblems(row: FileRow): readonly string[] {
  return Object.entries(Object(row.values)).flatMap(([field, value]) => {
    if (typeof value !== "string" || value === "") return [];
    const most = field === "email" ? maxAddress : maxText;
    if (value.search(unsafeCharacters) >= 0)
      return [remark(row, field, "must not hold control or invisible characters")];
    return value.length > most ? [remark(row, field, `must have at most ${most} characters`)] : [];
  });
}

/** Notices ids, and addresses of users, that were in an earlier row. */
function createSeen(): (row: FileRow) => readonly string[] {
  const first = new Map<string, FileRow>();
  return (row) =>
    ["id", "email"].flatMap((field) => {
      const value: unknown = Reflect.get(Object(row.values), field);
      if (typeof value !== "string" || value === "") return [];
      const key = `${row.list} ${field} ${value.toLowerCase()}`;
      const earlier = first.get(key);
      if (earlier === undefined) first.set(key, row);
      return earlier === undefined
        ? []
        : [remark(row, field, `“${value}” is there already, at ${earlier.placeOf(field)}`)];
    });
}
