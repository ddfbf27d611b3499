import {
  type Document,
  isAlias,
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  parseDocument,
  visit,
  type YAMLParseError,
} from "yaml";

/** One YAML text, parsed. */
export interface YamlPart {
  readonly content: unknown;
  /** Why it is not YAML. */
  readonly errors: readonly Located[];
  /** Keys that are there twice or cannot be there; the rest can still be checked. */
  readonly broken: readonly Located[];
  /** Whether something in it refers to another place. */
  readonly hasAnchors: () => boolean;
  /** The start of the deepest part of the path that exists. `isKey`: of the key, not of its value. */
  readonly offsetOf: (path: readonly PropertyKey[], isKey: boolean) => number;
}

export interface Located {
  readonly offset: number;
  readonly text: string;
}

/** `above`: the keys above this text. */
export function parsePart(text: string, above: readonly string[] = []): YamlPart {
  const document = parseDocument(text, { stringKeys: true, prettyErrors: false });
  const located = (errors: readonly YAMLParseError[]) =>
    errors.map(({ pos, message }) => ({ offset: pos[0], text: message }));
  const parsed = {
    // Most texts have neither character.
    hasAnchors: () => /[&*]/.test(text) && hasAnchors(document),
    offsetOf: (path: readonly PropertyKey[], isKey: boolean) => offsetOf(document, path, isKey),
  };
  // A document with a duplicate key can still be checked for other problems.
  const duplicates = document.errors.filter(isTwice);
  if (duplicates.length < document.errors.length)
    return { ...parsed, content: undefined, errors: located(document.errors), broken: [] };
  try {
    const content: unknown = document.toJS();
    return { ...parsed, content, errors: [], broken: [...located(duplicates), ...impossibleKeys(document, above)] };
  } catch (error) {
    // An alias without its anchor, or too many aliases.
    if (!(error instanceof ReferenceError)) throw error;
    return { ...parsed, content: undefined, errors: [{ offset: 0, text: error.message }], broken: [] };
  }
}

const isTwice = ({ code }: YAMLParseError): boolean => code === "DUPLICATE_KEY";

/** `__proto__` as a key: JavaScript would silently drop its content. */
function impossibleKeys(document: Document, above: readonly string[]): readonly Located[] {
  const found: Located[] = [];
  visit(document, {
    Pair: (_key, { key }, ancestors) => {
      if (!isScalar(key) || key.value !== "__proto__") return;
      const keys = ancestors.flatMap((node) => (isPair(node) && isScalar(node.key) ? [String(node.key.value)] : []));
      const path = [...above, ...keys, "__proto__"].join(".");
      found.push({
        offset: key.range?.[0] ?? 0,
        text: `${path}: "__proto__" cannot be a name: choose another`,
      });
    },
  });
  return found;
}

function hasAnchors(document: Document): boolean {
  let isFound = false;
  visit(document, {
    Node: (_key, node) => {
      if (!isAlias(node) && node.anchor === undefined) return undefined;
      isFound = true;
      return visit.BREAK;
    },
  });
  return isFound;
}

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
