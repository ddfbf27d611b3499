import type { Field } from "../commands/field.ts";
import type { Word } from "./tokenize.ts";

type NamedFields = readonly (readonly [string, Field])[];

/**
 * Gives the words to the fields that need no flag: first those that a word's shape tells (an address, one of a choice), then in
 * order. The last field takes all that remain, since names have several words. Returns the words that no field takes.
 */
export function takePositionals(
  words: readonly Word[],
  fields: NamedFields,
  parts: Map<string, readonly Word[]>,
): readonly Word[] {
  let rest = words;
  const open = fields.filter(([name, { positional }]) => positional && !parts.has(name));
  const inOrder = open.filter(([name, field]) => {
    const fits = shapeOf(field);
    if (!fits) return true;
    // The last one: a user before the new address can be given by an address too.
    const at = rest.findLastIndex(fits);
    if (at === -1) return false;
    parts.set(name, rest.slice(at, at + 1));
    rest = [...rest.slice(0, at), ...rest.slice(at + 1)];
    return false;
  });
  for (const [index, [name, field]] of inOrder.entries()) {
    if (rest.length === 0) break;
    const isLast = index === inOrder.length - 1 && manyWords.has(field.kind);
    const taken = field.positional === "rest" || isLast ? rest.length : 1;
    const value = field.kind === "resource-ids" ? rest.slice(0, taken).filter(isNoJoiner) : rest.slice(0, taken);
    if (value.length > 0) parts.set(name, value);
    rest = rest.slice(taken);
  }
  return rest;
}

const manyWords: ReadonlySet<Field["kind"]> = new Set(["reference", "resource-ids"]);

/** Whether a word has the shape of the field's values; undefined for a field whose values can be any word. */
function shapeOf(field: Field): ((word: Word) => boolean) | undefined {
  if (field.kind === "email") return ({ value }) => value.includes("@") && !value.startsWith("<@");
  if (field.kind !== "choice") return undefined;
  const values = new Set(field.options.map((option) => option.value.toLowerCase()));
  return ({ value }) => values.has(value.toLowerCase());
}

export const isNoJoiner = ({ value, isQuoted }: Word): boolean => isQuoted || !/^(?:and|&|\+|,)$/i.test(value);
