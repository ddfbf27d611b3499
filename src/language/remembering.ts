import type { TimeContext } from "./time-meaning/time-reading.ts";

/**
 * Reads the same words in the same context once. A line is read from many of its words on, and each reading goes through the same ones.
 */
export function remembering<R>(
  read: (words: readonly string[], context: TimeContext) => R,
): (words: readonly string[], context: TimeContext) => R {
  const known = new Map<string, { readonly read: R }>();
  return (words, context) => {
    const { now, zone, dayZone, dayStarts, dayEnds, isKeptOff = false } = context;
    const text = `${now} ${zone} ${dayZone} ${dayStarts} ${dayEnds} ${isKeptOff} ${words.join("\n")}`;
    if (text.length > maxLength) return read(words, context);
    const remembered = known.get(text);
    if (remembered) return remembered.read;
    if (known.size >= maxKnown) known.clear();
    const made = read(words, context);
    known.set(text, { read: made });
    return made;
  };
}

const maxKnown = 1000;
const maxLength = 300;
