import {
  type Document,
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  visit,
  type YAMLParseError,
} from "yaml";
import type { z } from "zod";

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

/** Parses a YAML text, or reports why it is not YAML. */
export function parseYaml(text: string, file: string): YamlSource | Problems {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, stringKeys: true, prettyErrors: false });
  const at = (offset: number): string => {
    const { line, col } = lines.linePos(offset);
    return `${file}:${line}:${col}`;
  };
  // A document with a duplicate key can still be checked for other problems.
  const [duplicates, others] = [document.errors.filter(isTwice), document.errors.filter((error) => !isTwice(error))];
  if (others.length > 0) return { problems: document.errors.map(({ pos, message }) => `${at(pos[0])} ${message}`) };
  try {
    const content: unknown = document.toJS();
    const broken = [
      ...duplicates.map(({ pos, message }) => ({ offset: pos[0], text: message })),
      ...impossibleKeys(document),
    ];
    const format = (problems: readonly Problem[]) => inOrder([...broken, ...problems.map(locateIn(document))], at);
    return {
      content,
      read: (schema) => read(schema, content, format, broken.length > 0),
      placeOf: (path) => at(offsetOf(document, path, false)),
      format: (remarks) => format(remarks.map((remark) => ({ ...remark, isKey: false }))),
    };
  } catch (error) {
    // An alias without its anchor, or too many aliases.
    if (error instanceof ReferenceError) return { problems: [`${at(0)} ${error.message}`] };
    throw error;
  }
}

const isTwice = ({ code }: YAMLParseError): boolean => code === "DUPLICATE_KEY";

/** `__proto__` as a key: JavaScript would silently drop its content. */
function impossibleKeys(document: Document): readonly Located[] {
  const found: Located[] = [];
  visit(document, {
    Pair: (_key, { key }, ancestors) => {
      if (!isScalar(key) || key.value !== "__proto__") return;
      const above = ancestors.flatMap((node) => (isPair(node) && isScalar(node.key) ? [String(node.key.value)] : []));
      const path = [...above, "__proto__"].join(".");
      found.push({
        offset: key.range?.[0] ?? 0,
        text: `${path}: "__proto__" cannot be a name: choose another`,
      });
    },
  });
  return found;
}

function read<S extends z.ZodType>(
  schema: S,
  content: unknown,
  format: (problems: readonly Problem[]) => string[],
  isBroken: boolean,
) {
  const result = schema.safeParse(content, { error: inWords });
  if (result.success && !isBroken) return { value: result.data };
  return { problems: format(result.error?.issues.flatMap(problemsOf) ?? []) };
}

const typeNames: Readonly<Record<string, string>> = {
  array: "a list",
  object: "a group of settings",
  record: "a group of named entries",
  string: "text",
  int: "a whole number",
};

function inWords(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code !== "invalid_type") return undefined;
  if (issue.input === undefined) return "is missing";
  return `must be ${typeNames[issue.expected] ?? `a ${issue.expected}`}`;
}

interface Located {
  readonly offset: number;
  readonly text: string;
}

const locateIn =
  (document: Document) =>
  ({ path, message, isKey }: Problem): Located => ({
    offset: offsetOf(document, path, isKey),
    text: `${path.length === 0 ? "" : `${path.join(".")}: `}${message}`,
  });

const inOrder = (located: readonly Located[], at: (offset: number) => string): string[] =>
  located.toSorted((a, b) => a.offset - b.offset).map(({ offset, text }) => `${at(offset)} ${text}`);

interface Problem {
  readonly path: readonly PropertyKey[];
  readonly message: string;
  /** The key is wrong, not its value. */
  readonly isKey: boolean;
}

function problemsOf(issue: z.core.$ZodIssue): Problem[] {
  const { path, message } = issue;
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => ({ path: [...path, key], message: `unknown key "${key}"`, isKey: true }));
  }
  if (issue.code === "invalid_key") return [{ path, message: issue.issues[0]?.message ?? message, isKey: true }];
  return [{ path, message, isKey: false }];
}

/** The start of the deepest part of the path that exists in the document. */
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

function child(node: unknown, step: PropertyKey): { key: unknown; value: unknown } {
  // The last of duplicate keys counts.
  if (isMap(node))
    return node.items.findLast(({ key }) => isScalar(key) && String(key.value) === String(step)) ?? nothing;
  if (isSeq(node)) return { key: undefined, value: node.items[Number(step)] };
  return nothing;
}

const nothing = { key: undefined, value: undefined };
