import { LineCounter } from "yaml";
import type { z } from "zod";
import type { Sliced } from "../time/slices.ts";
import { cutLongLists, type Piece } from "./long-lists.ts";
import { knownKeys, unknownKey } from "./unknown-key.ts";
import { type Located, parsePart, type YamlPart } from "./yaml-part.ts";

type Problems = { readonly problems: string[] };

/** A YAML text as plain data, with the lines of its parts. */
export interface YamlSource {
  /** Of the directory's long lists only the first items. */
  readonly content: unknown;
  /** The content as the schema reads it, or everything wrong with it as `file:line:col path: message`, in the order of the file. */
  readonly read: <S extends z.ZodType>(schema: S, longLists: LongLists<z.output<S>>) => Sliced<Read<z.output<S>>>;
  /** The place of a value, as `file:line:col`. */
  readonly placeOf: (path: readonly PropertyKey[]) => string;
  /** Each as `file:line:col path: message`, in the order of the file. */
  readonly format: (remarks: readonly Omit<Problem, "isKey">[]) => string[];
}

type Read<Value> = { readonly value: Value } | Problems;

/** Reads the later items of long lists. */
export interface LongLists<Value> {
  /** The schema of some items, by the list's name. */
  readonly schemas: Readonly<Partial<Record<string, z.ZodType<readonly unknown[]>>>>;
  readonly add: (value: Value, list: string, items: readonly unknown[]) => void;
}

/** So many items of a long list are read at a time: a few milliseconds of work. */
const itemsAtATime = 50;

/** Some 3,000 entries. */
const maxReportedWhole = 200_000;

/** Parses a YAML text, or reports why it is not YAML. */
export function* yamlIn(text: string, file: string, pieceSize = itemsAtATime): Sliced<YamlSource | Problems> {
  const parsed = (yield* parseInPieces(text, pieceSize)) ?? { ...parsePart(text), pieces: [] };
  const { content, errors, broken, offsetOf } = parsed;
  const at = placesIn(text, file);
  const inWords = ({ offset, text: problem }: Located) => `${at(offset)} ${problem}`;
  if (errors.length > 0) return { problems: errors.map(inWords) };
  const format = (problems: readonly Problem[]): string[] =>
    [...broken, ...problems.map(locateBy(offsetOf))].toSorted((one, other) => one.offset - other.offset).map(inWords);
  return {
    content,
    read: (schema, longLists) => read(schema, longLists, parsed, format),
    placeOf: (path) => at(offsetOf(path, false)),
    format: (remarks) => format(remarks.map((remark) => ({ ...remark, isKey: false }))),
  };
}

/** A text and the pieces that its long lists were read in. */
interface ParsedText extends Omit<YamlPart, "hasAnchors"> {
  readonly pieces: readonly (Piece & { readonly content: unknown })[];
}

/**
 * Without a tree of the whole text, which takes a hundred times the memory of the text. Undefined if nothing is long, and where YAML may
 * see something else than the indentation shows.
 */
function* parseInPieces(text: string, pieceSize: number): Sliced<ParsedText | undefined> {
  const cut = yield* cutLongLists(text, pieceSize);
  const hasDirectives = text.startsWith("%") || text.includes("\n%");
  if (cut.pieces.length === 0 || hasDirectives) return undefined;
  const main = parsePart(cut.text);
  const inWhole = (located: Located): Located => ({ ...located, offset: cut.placeInWhole(located.offset) });
  const isAsCut = cut.lists.every((list) => isListOf(pieceSize, main.content, list));
  if (main.errors.length === 0 && (main.hasAnchors() || !isAsCut)) return undefined;
  const errors = main.errors.map(inWhole);
  const broken = main.broken.map(inWhole);
  const pieces: ParsedText["pieces"][number][] = [];
  for (const piece of cut.pieces) {
    yield;
    const part = parsePiece(piece);
    const isAsFound = Array.isArray(part.content) && part.content.length === piece.count;
    if (part.errors.length === 0 && (part.hasAnchors() || !isAsFound)) return undefined;
    errors.push(...part.errors.map(movedBy(piece)));
    broken.push(...part.broken.map(movedBy(piece)));
    pieces.push({ ...piece, content: part.content });
  }
  // An open quote or brace ends with its piece. YAML has it end later, and a text of common size is reported as YAML has it.
  if (errors.length > 0 && text.length < maxReportedWhole) return undefined;
  return { content: main.content, errors, broken, pieces, offsetOf: offsetsIn(cut.pieces, main, cut.placeInWhole) };
}

const parsePiece = ({ text, list }: Piece): YamlPart => parsePart(text, [section, list]);

const section = "directory";

const movedBy =
  (piece: Piece) =>
  ({ offset, text }: Located): Located => ({ offset: piece.offset + offset, text });

function isListOf(length: number, content: unknown, name: string): boolean {
  const directory: unknown = Reflect.get(Object(content), section);
  const list: unknown = Reflect.get(Object(directory), name);
  return Array.isArray(list) && list.length === length;
}

/** Parses the piece of a path again: only a problem is ever looked for. */
function offsetsIn(pieces: readonly Piece[], main: YamlPart, placeInWhole: (offset: number) => number) {
  let last: { readonly piece: Piece; readonly part: YamlPart } | undefined;
  return (path: readonly PropertyKey[], isKey: boolean): number => {
    const [top, name, index, ...rest] = path;
    const place = Number(index);
    const piece =
      top === section
        ? pieces.find(({ list, first, count }) => list === name && first <= place && place < first + count)
        : undefined;
    if (!piece) return placeInWhole(main.offsetOf(path, isKey));
    if (last?.piece !== piece) last = { piece, part: parsePiece(piece) };
    return piece.offset + last.part.offsetOf([place - piece.first, ...rest], isKey);
  };
}

/** The place of an offset as `file:line:col`. Counts the lines only when there is something to report. */
export function placesIn(text: string, file: string): (offset: number) => string {
  let lines: LineCounter | undefined;
  return (offset) => {
    lines ??= linesOf(text);
    const { line, col } = lines.linePos(offset);
    return `${file}:${line}:${col}`;
  };
}

function linesOf(text: string): LineCounter {
  const lines = new LineCounter();
  for (let start = 0; start >= 0; start = text.indexOf("\n", start) + 1 || -1) lines.addNewLine(start);
  return lines;
}

function* read<S extends z.ZodType>(
  schema: S,
  { schemas, add }: LongLists<z.output<S>>,
  { content, broken, pieces }: ParsedText,
  format: (problems: readonly Problem[]) => string[],
): Sliced<Read<z.output<S>>> {
  const result = schema.safeParse(content, { error: inWords });
  const problems = result.error?.issues.flatMap(problemsOf) ?? [];
  for (const { list, first, content: items } of pieces) {
    yield;
    // The whole schema reports a list that it does not know.
    const found = schemas[list]?.safeParse(items, { error: inWords });
    if (found?.success && result.success) add(result.data, list, found.data);
    const issues = found?.error?.issues ?? [];
    problems.push(
      ...issues.flatMap(problemsOf).map((problem) => ({ ...problem, path: pathFrom(list, first, problem) })),
    );
  }
  if (result.success && problems.length + broken.length === 0) return { value: result.data };
  return { problems: format(problems) };
}

function pathFrom(list: string, first: number, { path: [index, ...rest] }: Problem): readonly PropertyKey[] {
  return [section, list, first + Number(index ?? 0), ...rest];
}

const typeNames: Readonly<Record<string, string>> = {
  array: "a list",
  object: "a group of settings",
  record: "a group of named entries",
  string: "text",
  int: "a whole number",
};

export function inWords(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code === "unrecognized_keys") return knownKeys(issue);
  if (issue.code !== "invalid_type") return undefined;
  if (issue.input === undefined) return "is missing";
  return `must be ${typeNames[issue.expected] ?? `a ${issue.expected}`}`;
}

export interface Problem {
  readonly path: readonly PropertyKey[];
  readonly message: string;
  /** The key is wrong, not its value. */
  readonly isKey: boolean;
}

const locateBy =
  (offsetOf: YamlPart["offsetOf"]) =>
  ({ path, message, isKey }: Problem): Located => ({
    offset: offsetOf(path, isKey),
    text: `${path.length === 0 ? "" : `${path.join(".")}: `}${message}`,
  });

export function problemsOf(issue: z.core.$ZodIssue): Problem[] {
  const { path, message } = issue;
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => ({ path: [...path, key], message: unknownKey(key, message), isKey: true }));
  }
  if (issue.code === "invalid_key") return [{ path, message: issue.issues[0]?.message ?? message, isKey: true }];
  return [{ path, message, isKey: false }];
}
