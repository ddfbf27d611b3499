import { type Document, isMap, isNode, isPair, isScalar, isSeq, LineCounter, parseDocument, visit } from "yaml";
import { z } from "zod";
import { nearNameIn } from "../language/nearest-word.ts";

type Problems = { readonly problems: string[] };

/** A YAML text as plain data, with the lines of its parts. */
export interface YamlSource {
  readonly content: unknown;
  /** The content as the schema reads it, or everything wrong with it as `file:line:col path: message`, in the order of the file. */
  readonly read: <S extends z.ZodType>(schema: S) => { readonly value: z.output<S> } | Problems;
  /** The place of a value, as `file:line:col`. */
  readonly placeOf: (path: readonly PropertyKey[]) => string;
  /** Each as `file:line:col path: message`, in the order of the file. */
  readonly format: (remarks: readonly Omit<Problem, "isKey">[]) => string[];
}

/** Parses a YAML text, or reports why it is not YAML. `complete`: alters it before it is read, and gives what is wrong. */
export function yamlIn(
  text: string,
  file: string,
  complete: (document: Document) => readonly Located[],
): YamlSource | Problems {
  const document = parseDocument(text, { stringKeys: true, prettyErrors: false });
  const at = placesIn(text, file);
  const inWords = ({ offset, text: problem }: Located) => `${at(offset)} ${problem}`;
  const errors = document.errors.map(({ pos, message }) => ({ offset: pos[0], text: message }));
  // A document with a duplicate key can still be checked for other problems.
  if (document.errors.some(({ code }) => code !== "DUPLICATE_KEY")) return { problems: errors.map(inWords) };
  const incomplete = complete(document);
  const content = contentOf(document);
  if (content instanceof Error) return { problems: [inWords({ offset: 0, text: content.message })] };
  const broken = [...errors, ...impossibleKeys(document), ...incomplete];
  const format = (problems: readonly (Omit<Problem, "isKey"> & Partial<Problem>)[]): string[] =>
    [
      ...broken,
      ...problems.map(({ path, message, isKey = false }) => ({
        offset: offsetOf(document, path, isKey),
        text: `${path.length === 0 ? "" : `${path.join(".")}: `}${message}`,
      })),
    ]
      .toSorted((one, other) => one.offset - other.offset)
      .map(inWords);
  return {
    content,
    read: (schema) => {
      const result = schema.safeParse(content, { error: issueInWords });
      if (result.success && broken.length === 0) return { value: result.data };
      return { problems: format(result.error?.issues.flatMap(problemsOf) ?? []) };
    },
    placeOf: (path) => at(offsetOf(document, path, false)),
    format,
  };
}

export interface Located {
  readonly offset: number;
  readonly text: string;
}

/** An alias without its anchor, or too many aliases, is an error. */
function contentOf(document: Document): unknown {
  try {
    return document.toJS();
  } catch (error) {
    if (error instanceof ReferenceError) return error;
    throw error;
  }
}

/** `__proto__` as a key: JavaScript would silently drop its content. */
function impossibleKeys(document: Document): readonly Located[] {
  const found: Located[] = [];
  visit(document, {
    Pair: (_key, { key }, ancestors) => {
      if (!isScalar(key) || key.value !== "__proto__") return;
      const keys = ancestors.flatMap((node) => (isPair(node) && isScalar(node.key) ? [String(node.key.value)] : []));
      const path = [...keys, "__proto__"].join(".");
      found.push({ offset: key.range?.[0] ?? 0, text: `${path}: "__proto__" cannot be a name: choose another` });
    },
  });
  return found;
}

/** The start of the deepest part of the path that exists. `isKey`: of the key, not of its value. */
function offsetOf(document: Document, path: readonly PropertyKey[], isKey: boolean): number {
  let node: unknown = document.contents;
  let offset = document.contents?.range?.[0] ?? 0;
  for (const step of path) {
    const { key, value } = child(node, step);
    const shown = isKey || !isNode(value) ? key : value;
    offset = isNode(shown) ? (shown.range?.[0] ?? offset) : offset;
    node = value;
  }
  return offset;
}

function child(node: unknown, step: PropertyKey): { readonly key?: unknown; readonly value?: unknown } {
  // The last of duplicate keys counts.
  if (isMap(node)) return node.items.findLast(({ key }) => isScalar(key) && String(key.value) === String(step)) ?? {};
  return isSeq(node) ? { value: node.items[Number(step)] } : {};
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

const typeNames: Readonly<Record<string, string>> = {
  array: "a list",
  object: "a group of settings",
  record: "a group of named entries",
  string: "text",
  int: "a whole number",
};

/** What zod finds, in the words of the file. An unknown key lists the known ones of its part, with blanks between them. */
export function issueInWords(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code === "unrecognized_keys")
    return issue.inst instanceof z.ZodObject ? Object.keys(issue.inst.shape).join(" ") : "";
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

/** The problems of an issue with the message of `issueInWords`. */
export function problemsOf(issue: z.core.$ZodIssue): Problem[] {
  const { path, message } = issue;
  if (issue.code === "unrecognized_keys") {
    const names = message.split(" ");
    return issue.keys.map((key) => {
      const near = nearNameIn(names)(key);
      const advice = near === undefined ? `known here: ${names.join(", ")}` : `did you mean "${near}"?`;
      return { path: [...path, key], message: `unknown key "${key}"; ${advice}`, isKey: true };
    });
  }
  if (issue.code === "invalid_key") return [{ path, message: issue.issues[0]?.message ?? message, isKey: true }];
  return [{ path, message, isKey: false }];
}
