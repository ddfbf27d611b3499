import type { Field } from "../../commands/field.ts";
import { unquoted } from "../take-start.ts";
import type { Word } from "../tokenize.ts";
import type { FindSpan } from "./read-span.ts";

interface Taking {
  readonly fields: readonly (readonly [string, Field])[];
  readonly parts: Map<string, readonly Word[]>;
  readonly findSpan: FindSpan;
}

/** Takes `tonight` or `on 25 december` from the line of a question about a time. */
export function takeSpan(words: readonly Word[], { fields, parts, findSpan }: Taking): readonly Word[] {
  const name = fields.find(([each, { kind }]) => kind === "span" && !parts.has(each))?.[0];
  const found = name === undefined ? undefined : findSpan(unquoted(words));
  if (name === undefined || !found) return words;
  parts.set(name, words.slice(found.start, found.end));
  return [...words.slice(0, found.start), ...words.slice(found.end)];
}
