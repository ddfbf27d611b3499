import { z } from "zod";
import { nearNameIn } from "../language/nearest-word.ts";
import type { Problem } from "./yaml-source.ts";

/** Named lists, for what several parts of the file name: `lists: { prod: [p-1, p-2] }`, and `projects: $prod` or `[$prod, p-9]`. */
export const listsSchema = z.record(
  z.string().regex(/^[\w-]+$/, "a list's name is one word of letters, digits, - and _"),
  z
    .array(z.string().regex(/^(?!\$)/, "a list cannot name another list"))
    .min(1, "must list at least one, or be left out"),
);

interface Expanded {
  readonly content: unknown;
  readonly problems: readonly Omit<Problem, "isKey">[];
}

/** A short file comes to far more where it names long lists or anchors many times. */
const maxParts = 200_000;

/** Puts the lists that a file names in their places. Lists that are wrong in themselves stay for the schema to report. */
export function withLists(content: unknown): Expanded {
  const read = z.object({ lists: listsSchema.default({}) }).safeParse(content);
  if (!read.success) return { content, problems: [] };
  const { lists } = read.data;
  const names = Object.keys(lists);
  const problems: Omit<Problem, "isKey">[] = [];
  let parts = 0;
  const listNamed = (name: string, path: readonly PropertyKey[]): readonly string[] => {
    const list = Object.hasOwn(lists, name) ? lists[name] : undefined;
    parts += list?.length ?? 0;
    if (list) return list;
    const near = nearNameIn(names)(name);
    const advice = near === undefined ? "“lists” names none of this name" : `did you mean "$${near}"?`;
    problems.push({ path, message: `unknown list "$${name}"; ${advice}` });
    return [];
  };
  const expand = (value: unknown, path: readonly PropertyKey[]): unknown => {
    parts += 1;
    if (parts > maxParts) return undefined;
    if (Array.isArray(value)) return value.flatMap((item, index) => expand(item, [...path, index]));
    if (typeof value === "object" && value !== null) {
      const entries = Object.entries(value);
      return Object.fromEntries(entries.map(([key, item]) => [key, expand(item, [...path, key])]));
    }
    const name = typeof value === "string" ? /^\$([\w-]+)$/.exec(value)?.[1] : undefined;
    return name === undefined || path[0] === "lists" ? value : listNamed(name, path);
  };
  const expanded = expand(content, []);
  if (parts <= maxParts) return { content: expanded, problems };
  return { content, problems: [{ path: [], message: `it comes to more than ${maxParts} entries` }] };
}
