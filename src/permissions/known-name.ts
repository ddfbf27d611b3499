import { closest } from "fastest-levenshtein";
import { z } from "zod";

/** One of the given names; a misspelt one is reported together with the nearest. */
export const knownName = <N extends string>(noun: string, names: readonly N[]) =>
  z.string().transform((text, context): N => {
    const known = names.find((name) => name === text);
    if (known !== undefined) return known;
    context.addIssue({ code: "custom", message: `unknown ${noun} "${text}"${suggestion(text, names)}` });
    return z.NEVER;
  });

const suggestion = (text: string, names: readonly string[]): string =>
  names.length === 0 ? "" : `; did you mean "${closest(text, names)}"?`;
