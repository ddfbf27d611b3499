import Papa from "papaparse";
import { issueInWords, placesIn, problemsOf } from "../config/yaml-source.ts";
import { csvLine, escapeUnsafe, unsafeCharacters, withoutGuard } from "../observability/unsafe-characters.ts";
import { type Accounts, accountOf, unknownAccount } from "../service/account-ids.ts";
import {
  type DirectoryItem,
  type DirectoryListName,
  directoryListNames,
  directoryLists,
  isDirectoryListName,
} from "./config-entities.ts";
import type { NewEntity } from "./directory.ts";
import { fixedForms, typesByForm } from "./resources.ts";

type ReadEntries =
  | {
      readonly kind: "entries";
      readonly entities: readonly NewEntity[];
      /** What is to be said of a field of one of them, with its place in the file. */
      readonly remarkOn: (entity: NewEntity, field: string, message: string) => string;
      readonly notes: readonly string[];
    }
  | { readonly kind: "problems"; readonly problems: readonly string[] };

/** Of one file. More do not fit into the memory that a start allows. */
const maxEntries = 100_000;
const tooManyEntries = "the file has more than 100,000 entries: split it, since each import adds to the earlier ones";
const maxLength = 20_000_000;

/**
 * Reads the entries of a CSV or JSON file, or lists everything wrong with it. `list`: what it lists, where its name does not say that;
 * `accounts`: the further accounts of the service, where they are known.
 */
export function readEntries(
  text: string,
  file: string,
  {
    list = listNamedBy(file),
    accounts,
  }: { readonly list?: DirectoryListName | undefined; readonly accounts?: Accounts | undefined } = {},
): ReadEntries {
  const failed = (problem: string): ReadEntries => ({ kind: "problems", problems: [`${file}:1:1: ${problem}`] });
  if (text.length > maxLength) return failed("the file is longer than 20 million characters: split it");
  if (text.includes("\ufffd")) return failed("the file is not UTF-8: save it as “CSV UTF-8”");
  const content = text.replace(/^\ufeff/, "");
  const isJson = /^\s*[[{]/.test(content);
  if (!isJson && list === undefined) return failed(`${nameTheList}; or name the file so, such as users.csv`);
  const read = isJson || list === undefined ? jsonRows(content, { file, list }) : csvRows(content, { file, list });
  return read.rows.length > maxEntries ? failed(tooManyEntries) : check(read, accounts);
}

/** “users.csv” and “users-2026.json” list users. */
function listNamedBy(file: string): DirectoryListName | undefined {
  const name = file.split(/[/\\]/).at(-1)?.toLowerCase() ?? "";
  return directoryListNames.find((list) => new RegExp(`^${list}(?![a-z])`).test(name));
}

function check({ rows, problems, notes }: FileRows, accounts: Accounts | undefined): ReadEntries {
  const found: string[] = [...problems];
  const entities = new Map<NewEntity, FileRow>();
  const seen = createSeen();
  const inGroup = createGroupCheck();
  for (const row of rows) {
    const { entity, issues } = directoryLists[row.list].read(row.values, issueInWords);
    const wrong = [
      ...issues.flatMap(problemsOf).map(({ path: [field], message }) => remark(row, field, message)),
      ...textProblems(row),
      ...(accounts ? accountProblems(row, accounts) : []),
      ...seen(row),
      ...(entity && isMachine(entity) ? [...formProblem(row, entity), ...inGroup(row, entity)] : []),
    ];
    found.push(...wrong);
    if (entity !== undefined && wrong.length === 0) entities.set(entity, row);
  }
  if (found.length > 0) return { kind: "problems", problems: found.toSorted(byPlace) };
  return {
    ...{ kind: "entries", entities: [...entities.keys()] },
    remarkOn: (entity, field, message) => {
      const row = entities.get(entity);
      return row ? remark(row, field, message) : message;
    },
    notes: entities.size === 0 ? [...notes, nothingInIt] : notes,
  };
}

export const isMachine = (entity: NewEntity): entity is NewEntity<"machine"> => entity.kind === "machine";

/** An id that shows another type, or not this one: the columns may have changed places. */
function formProblem(row: FileRow, { id, body: { type } }: NewEntity<"machine">): readonly string[] {
  const [types, form] = [typesByForm(id), fixedForms.get(type)];
  if (types.length > 0 && !types.includes(type))
    return [remark(row, "type", `“${id}” is ${types.join(" or ")}, and this says ${type}`)];
  return types.length === 0 && form ? [remark(row, "id", `“${id}” does not look like ${form.example}`)] : [];
}

/** Notices groups of several types or projects: an exclusion is of one. */
function createGroupCheck(): (row: FileRow, machine: NewEntity<"machine">) => readonly string[] {
  const first = new Map<string, { readonly row: FileRow; readonly place: string }>();
  return (row, { body: { group, type, project } }) => {
    const place = `${type} of ${project}`;
    const earlier = group === undefined ? undefined : first.get(group.toLowerCase());
    if (group !== undefined && !earlier) first.set(group.toLowerCase(), { row, place });
    if (!earlier || earlier.place === place) return [];
    const at = earlier.row.placeOf("group");
    return [
      remark(
        row,
        "group",
        `“${group}” holds ${earlier.place}, at ${at}, and this is ${place}: name one group for each`,
      ),
    ];
  };
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
/** An address; a machine's path; what a console shows of its tags. */
const longer: Readonly<Record<string, number>> = { email: 254, id: 500, tags: 2000 };

/** Beyond what the schema says: what a person could not type, and what no id is. */
function textProblems(row: FileRow): readonly string[] {
  return Object.entries(Object(row.values)).flatMap(([field, value]) => {
    if (typeof value !== "string" || value === "") return [];
    const most = longer[field] ?? maxText;
    if (value.search(unsafeCharacters) >= 0)
      return [remark(row, field, "must not hold control or invisible characters")];
    return value.length > most ? [remark(row, field, `must have at most ${most} characters`)] : [];
  });
}

/** What stands before an id or a project must be an account that the config names. */
const accountProblems = (row: FileRow, accounts: Accounts): readonly string[] =>
  ["id", "project", "plan"].flatMap((field) => {
    const value: unknown = Reflect.get(Object(row.values), field);
    const unknown = typeof value === "string" ? unknownAccount(value, accounts) : undefined;
    return unknown === undefined ? [] : [remark(row, field, unknown)];
  });

/** Notices ids, and addresses of users, that were in an earlier row. */
function createSeen(): (row: FileRow) => readonly string[] {
  const first = new Map<string, FileRow>();
  return (row) =>
    ["id", "email"].flatMap((field) => {
      const value: unknown = Reflect.get(Object(row.values), field);
      if (typeof value !== "string" || value === "") return [];
      // One person may have a user in each account.
      const of = field === "email" ? accountOf(String(Reflect.get(Object(row.values), "id"))) : "";
      const key = `${row.list} ${field} ${of} ${value.toLowerCase()}`;
      const earlier = first.get(key);
      if (earlier === undefined) first.set(key, row);
      return earlier === undefined
        ? []
        : [remark(row, field, `“${value}” is there already, at ${earlier.placeOf(field)}`)];
    });
}

/** Excel writes semicolons where a comma is the decimal sign. */
const delimiters = [",", ";", "\t"] as const;

/**
 * The rows of a CSV file of one list. The first line names the columns. A place is the line and the number of the cell. `text` is
 * without a byte order mark.
 */
function csvRows(text: string, { file, list }: { readonly file: string; readonly list: DirectoryListName }): FileRows {
  const rows: FileRow[] = [];
  const problems: string[] = [];
  const notes: string[] = [];
  let columns: readonly (string | undefined)[] | undefined;
  const lines = linesOf(text);
  if (lines.length > maxLines) return { rows, problems: [`${file}:1:1: ${tooManyEntries}`], notes };
  for (const { line, cells, problem } of lines) {
    const place = `${file}:${line}`;
    if (problem !== undefined) problems.push(`${place}:1: ${problem}`);
    if (problem !== undefined || cells.every((cell) => cell === "")) continue;
    if (columns === undefined) {
      const header = headerOf(cells, list, place);
      columns = header.columns;
      problems.push(...header.problems);
      notes.push(...header.notes);
      // Without its columns no other line can be understood.
      if (header.problems.length > 0) break;
      continue;
    }
    const known = columns;
    const tooMany = cells.findIndex((cell, index) => index >= known.length && cell !== "");
    if (tooMany >= 0) problems.push(`${place}:${tooMany + 1}: this line has more cells than the first`);
    rows.push({
      list,
      values: Object.fromEntries(
        known.flatMap((field, index) => (field && cells[index] ? [[field, cells[index]]] : [])),
      ),
      placeOf: (field) => `${place}:${Math.max(known.indexOf(field), 0) + 1}`,
    });
  }
  if (columns === undefined && problems.length === 0) problems.push(`${file}:1:1: the file is empty`);
  return { rows, problems, notes };
}

/** With the names of the columns, and an empty line at the end. */
const maxLines = maxEntries + 2;

interface Line {
  /** Where it begins: a cell may hold line breaks. */
  readonly line: number;
  readonly cells: readonly string[];
  readonly problem?: string;
}

function linesOf(text: string): readonly Line[] {
  const named = /^sep=([,;\t])\r?\n/i.exec(text);
  const start = named?.[0].length ?? 0;
  const lines: Line[] = [];
  let line = named ? 2 : 1;
  Papa.parse<readonly string[]>(text.slice(start).replace(/\r\n?/g, "\n"), {
    delimiter: named?.[1] ?? delimiterOf(text),
    newline: "\n",
    step: ({ data, errors: [error] }, parser) => {
      if (lines.length > maxLines) return parser.abort();
      lines.push({
        ...{ line, cells: data.map((cell) => withoutGuard(cell.trim())) },
        ...(error ? { problem: "a quotation mark is not closed, or stands inside a cell: double it there" } : {}),
      });
      line += 1 + data.reduce((breaks, cell) => breaks + cell.split("\n").length - 1, 0);
    },
  });
  return lines;
}

/** The one that the first line has most of. */
function delimiterOf(text: string): string {
  const [first = ""] = text.split(/\r?\n|\r/, 1);
  const counted = delimiters.map((delimiter) => ({ delimiter, count: first.split(delimiter).length }));
  return counted.reduce((most, each) => (each.count > most.count ? each : most)).delimiter;
}

interface Header {
  /** The field of each column; undefined for one that is left out. */
  readonly columns: readonly (string | undefined)[];
  readonly problems: readonly string[];
  readonly notes: readonly string[];
}

function headerOf(cells: readonly string[], list: DirectoryListName, place: string): Header {
  const { fields, schema } = directoryLists[list];
  const columns = cells.map((cell) => fields.find((field) => namesOf(list, field).has(plain(cell))));
  const twice = columns.flatMap((field, index) =>
    field !== undefined && columns.indexOf(field) < index
      ? [`${place}:${index + 1}: the column ${field} is there twice`]
      : [],
  );
  const required = Object.entries(schema.shape).flatMap(([field, each]) =>
    each.safeParse(undefined).success ? [] : [field],
  );
  const absent = required.filter((field) => !columns.includes(field));
  const missing = absent.map(
    (field) => `${place}:1: there is no column ${field}: the first line must name ${fields.join(", ")}`,
  );
  const others = cells.filter((cell, index) => columns[index] === undefined && cell !== "");
  const notes = others.map((cell) => `The column “${cell}” is not used.`);
  return { columns, problems: [...twice, ...missing], notes };
}

const plain = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");

/** How a column may be headed, as `plain` writes it: as here, as the service calls it, and as people do. */
function namesOf(list: DirectoryListName, field: string): ReadonlySet<string> {
  const { kind } = directoryLists[list];
  const others: Readonly<Record<string, readonly string[]>> = {
    id: [
      `${kind}id`,
      ...(kind === "policy" ? ["managedpolicyid"] : []),
      ...(kind === "machine" ? ["resourceid", "instanceid"] : []),
    ],
    name: [`${kind}name`, ...(kind === "user" ? ["username", "user"] : [])],
    email: ["emailaddress", "mail"],
    mfaType: ["mfa"],
    project: ["projectid"],
    plan: ["planid"],
    type: ["resourcetype"],
    group: ["resourcegroup"],
    cloudProviderSubTypeId: ["cloudprovidersubtype", "subtype"],
  };
  return new Set([plain(field), ...(others[field] ?? [])]);
}

/** The rows of a JSON file: lists as in the config's `directory`, or one list. `text` is without a byte order mark. */
function jsonRows(
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

const nameTheList = `say what it lists with --kind: ${directoryListNames.join(", ")}`;

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

/** An entry in a file, not yet checked. */
interface FileRow {
  readonly list: DirectoryListName;
  readonly values: unknown;
  /** Where a field of it is, as `file:line:col`; without one, where it begins. */
  readonly placeOf: (field?: string) => string;
}

/** What a file holds, and what is wrong with it as `file:line:col: message`. */
interface FileRows {
  readonly rows: readonly FileRow[];
  readonly problems: readonly string[];
  /** What was left out on purpose, in words. */
  readonly notes: readonly string[];
}

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
