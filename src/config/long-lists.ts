import type { Sliced } from "../time/slices.ts";

/** A YAML text without the later items of the directory's long lists, which are read piece by piece. */
export interface CutText {
  readonly text: string;
  readonly pieces: readonly Piece[];
  /** The names of the cut lists. */
  readonly lists: readonly string[];
  /** Where this place of the shortened text is in the whole one. */
  readonly placeInWhole: (offset: number) => number;
}

/** Some items of a list, with their indentation: a YAML text by itself. */
export interface Piece {
  readonly list: string;
  /** The place of its first item in the list. */
  readonly first: number;
  readonly count: number;
  /** Where it is in the whole text. */
  readonly offset: number;
  readonly text: string;
}

interface List {
  readonly name: string;
  readonly indent: number;
  /** Where the pieces begin; the first stays in the text. */
  readonly begins: number[];
  items: number;
  /** Unknown before the first item. */
  itemIndent: number | undefined;
}

interface FoundList {
  readonly list: List;
  readonly end: number;
}

const directoryKey = /^directory:[ \t]*(?:#.*)?\r?$/;
const listKey = /^ +([A-Za-z]+):[ \t]*(?:#.*)?\r?$/;
const emptyLine = /^[ \t]*(?:#.*)?\r?$/;
const itemStart = /^ *-(?: |\r?$)/;
const linesAtATime = 1000;

/** Finds the lists by their indentation. The reader checks that YAML sees the same lists. */
export function* cutLongLists(text: string, pieceSize: number): Sliced<CutText> {
  const found: FoundList[] = [];
  let isInDirectory = false;
  let list: List | undefined;
  const endList = (end: number) => {
    if (list && list.begins.length > 1) found.push({ list, end });
    list = undefined;
  };
  let lines = 0;
  for (let start = 0; start < text.length; ) {
    if (++lines % linesAtATime === 0) yield;
    const end = endOfLine(text, start);
    const line = text.slice(start, end);
    if (!emptyLine.test(line)) {
      const indent = indentOf(line);
      if (!list || !continues(list, line, indent, start, pieceSize)) {
        endList(start);
        if (indent === 0) isInDirectory = directoryKey.test(line);
        const name = isInDirectory ? listKey.exec(line)?.[1] : undefined;
        if (name !== undefined) list = { name, indent, begins: [], items: 0, itemIndent: undefined };
      }
    }
    start = end + 1;
  }
  endList(text.length);
  return cutAt(text, found, pieceSize);
}

/** Notes the item that begins on this line, if one does. False if the list has ended. */
function continues(list: List, line: string, indent: number, start: number, pieceSize: number): boolean {
  if (list.itemIndent === undefined) {
    if (indent < list.indent || !itemStart.test(line)) return false;
    list.itemIndent = indent;
  }
  if (indent > list.itemIndent) return true;
  if (indent < list.itemIndent || !itemStart.test(line)) return false;
  if (list.items % pieceSize === 0) list.begins.push(start);
  list.items += 1;
  return true;
}

function cutAt(text: string, found: readonly FoundList[], pieceSize: number): CutText {
  const pieces = found.flatMap(({ list, end }) => piecesOf(text, list, end, pieceSize));
  const cuts = found.map(({ list, end }) => ({ start: list.begins[1] ?? end, end }));
  const kept: string[] = [];
  let at = 0;
  for (const { start, end } of cuts) {
    kept.push(text.slice(at, start));
    at = end;
  }
  kept.push(text.slice(at));
  return {
    text: kept.join(""),
    pieces,
    lists: found.map(({ list }) => list.name),
    placeInWhole: (offset) =>
      cuts.reduce((place, { start, end }) => (start <= place ? place + end - start : place), offset),
  };
}

function piecesOf(text: string, { name, begins, items }: List, end: number, pieceSize: number): readonly Piece[] {
  const [, ...later] = begins;
  return later.map((offset, index) => {
    const first = pieceSize * (index + 1);
    const count = Math.min(pieceSize, items - first);
    return { list: name, first, count, offset, text: text.slice(offset, later[index + 1] ?? end) };
  });
}

function endOfLine(text: string, start: number): number {
  const end = text.indexOf("\n", start);
  return end < 0 ? text.length : end;
}

function indentOf(line: string): number {
  let indent = 0;
  while (line[indent] === " ") indent += 1;
  return indent;
}
