import type { TimeContext } from "./time-meaning/time-reading.ts";

/**
 * Reads words once at one moment. A line is read from many of its words on, and each reading goes through the same ones. Words of another
 * moment are forgotten.
 */
export function remembering<R>(
  read: (words: readonly string[], context: TimeContext) => R,
): (words: readonly string[], context: TimeContext) => R {
  const known = new Map<string, { readonly read: R }>();
  let last: TimeContext | undefined;
  return (words, context) => {
    if (!last || !isSame(last, context) || known.size >= maxKnown) known.clear();
    last = context;
    const text = words.join("\n");
    const found = known.get(text);
    if (found) return found.read;
    const made = read(words, context);
    if (text.length <= maxLength) known.set(text, { read: made });
    return made;
  };
}

const maxKnown = 1000;
const maxLength = 200;

const isSame = (one: TimeContext, other: TimeContext): boolean =>
  one === other ||
  (one.now === other.now &&
    one.zone === other.zone &&
    one.dayZone === other.dayZone &&
    one.dayStarts === other.dayStarts &&
    one.dayEnds === other.dayEnds &&
    one.isKeptOff === other.isKeptOff);
