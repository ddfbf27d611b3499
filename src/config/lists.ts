import { type Document, isMap, isPair, isScalar, isSeq, type Node, type Pair, visit, type YAMLSeq } from "yaml";
import { z } from "zod";
import { nearNameIn } from "../language/nearest-word.ts";
import type { Located } from "./yaml-source.ts";

/** Named lists, for what several parts of the file name: `lists: { prod: [p-1, p-2] }`, and `projects: $prod` or `[$prod, p-9]`. */
export const listsSchema = z.record(
  z.string().regex(/^[\w-]+$/, "a list's name is one word of letters, digits, - and _"),
  z
    .array(z.string().regex(/^(?!\$)/, "a list cannot name another list"))
    .min(1, "must list at least one, or be left out")
    .describe("What it stands for"),
);

/** A short file comes to far more where it names long lists many times. */
const maxNamed = 200_000;

/**
 * Puts the lists that a file names in their places, where their entries keep the lines on which they stand. Gives what names no list, and
 * what names too much. Lists that are wrong in themselves stay for the schema to report.
 */
export function withLists(document: Document): readonly Located[] {
  const lists = listsOf(document);
  const problems: Located[] = [];
  let named = 0;
  const listNamed = (value: unknown, path: readonly unknown[]): YAMLSeq<Node> | undefined => {
    if (!isScalar(value) || typeof value.value !== "string") return undefined;
    const [, name] = /^\$([\w-]+)$/.exec(value.value) ?? [];
    if (name === undefined) return undefined;
    const list = lists.get(name);
    named += list?.items.length ?? 0;
    const wrong = lists.has(name) ? named > maxNamed && tooMany : unknownList(name, [...lists.keys()]);
    if (wrong) problems.push({ offset: value.range?.[0] ?? 0, text: `${keysOf(path)}${wrong}` });
    return wrong ? undefined : list;
  };
  visit(document, {
    Pair: (_key, pair, ancestors) => {
      if (isAt(pair, "lists") && ancestors.length === 2) return visit.SKIP;
      pair.value = listNamed(pair.value, [...ancestors, pair]) ?? pair.value;
      return undefined;
    },
    Seq: (_key, seq, ancestors) => {
      seq.items = seq.items.flatMap((item) => listNamed(item, ancestors)?.items ?? [item]);
    },
  });
  return problems;
}

const tooMany = `with this, the file names more than ${maxNamed} entries of lists`;

/** By their names; undefined for one that is wrong. */
function listsOf({ contents }: Document): ReadonlyMap<string, YAMLSeq<Node> | undefined> {
  const lists = isMap(contents) ? contents.items.find((pair) => isAt(pair, "lists"))?.value : undefined;
  return new Map(
    (isMap(lists) ? lists.items : []).map(({ key, value }) => {
      const isPlain = isSeq<Node>(value) && value.items.every((item) => isScalar(item) && !/^\$/.test(`${item.value}`));
      return [isScalar(key) ? `${key.value}` : "", isPlain ? value : undefined] as const;
    }),
  );
}

const isAt = ({ key }: Pair, name: string): boolean => isScalar(key) && key.value === name;

const keysOf = (path: readonly unknown[]): string =>
  path
    .flatMap((node) => (isPair(node) && isScalar(node.key) ? [`${node.key.value}.`] : []))
    .join("")
    .replace(/\.$/, ": ");

function unknownList(name: string, names: readonly string[]): string {
  const near = nearNameIn(names)(name);
  return `unknown list "$${name}"; ${near === undefined ? "“lists” has none of this name" : `did you mean "$${near}"?`}`;
}
