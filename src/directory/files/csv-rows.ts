import Papa from "papaparse";
import { withoutGuard } from "../../observability/csv-line.ts";
import { type DirectoryListName, directoryLists } from "../config-entities.ts";
import { type FileRow, type FileRows, maxEntries, tooManyEntries } from "./file-row.ts";

/** Excel writes semicolons where a comma is the decimal sign. */
const delimiters = [",", ";", "\t"] as const;

/**
 * The rows of a CSV file of one list. The first line names the columns. A place is the line and the number of the cell. `text` is
 * without a byte order mark.
 */
export function csvRows(
  text: string,
  { file, list }: { readonly file: string; readonly list: DirectoryListName },
): FileRows {
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
    id: [`${kind}id`, ...(kind === "policy" ? ["managedpolicyid"] : [])],
    name: [`${kind}name`, ...(kind === "user" ? ["username", "user"] : [])],
    email: ["emailaddress", "mail"],
    mfaType: ["mfa"],
    project: ["projectid"],
    plan: ["planid"],
    cloudProviderSubTypeId: ["cloudprovidersubtype", "subtype"],
  };
  return new Set([plain(field), ...(others[field] ?? [])]);
}
