import { findTime } from "../../../language/read-time.ts";
import type { SplitLine } from "../../../language/split-line.ts";
import { timeContextOf } from "../../fields/kinds/moment.ts";
import { type FieldsRead, readParts } from "../../fields/read-fields.ts";
import type { RequestContext } from "../request-context.ts";

/** A line, as split and as read. */
export interface Understood {
  readonly split: SplitLine;
  readonly read: FieldsRead;
  /** It opens the form of the command, though nothing is missing. */
  readonly opensForm?: boolean | undefined;
}

/** A longer name is not tried word by word. */
const maxWords = 8;

/**
 * "disable dave tomorrow": where all words together name nothing and the first ones do, the others are not understood. They are never
 * taken for a part of the name.
 */
export async function withoutTrailing(understood: Understood, context: RequestContext): Promise<Understood> {
  const { split, read } = understood;
  const { command, parts } = split;
  for (const [name, field] of Object.entries(command.fields)) {
    const words = parts.get(name) ?? [];
    if (field.kind !== "reference" || field.multiple || !(name in read.problems)) continue;
    for (let count = Math.min(words.length - 1, maxWords); count > 0; count--) {
      const shorter = new Map(parts).set(name, words.slice(0, count));
      const again = await readParts(command, shorter, context, split.sets);
      if (name in again.problems || name in again.choices) continue;
      const trailing = words.slice(count);
      const isTime =
        findTime(
          trailing.map(({ value }) => value),
          timeContextOf(context),
        )?.start === 0;
      const problems = isTime && command.kind === "change" ? [...split.problems, notLater] : split.problems;
      return {
        split: { ...split, parts: shorter, problems, unexplained: [...split.unexplained, ...trailing] },
        read: again,
      };
    }
  }
  return understood;
}

const notLater = "This can't be planned for later: it is done when you ask.";
