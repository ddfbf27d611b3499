/** Finds things by a part of a text of theirs. */
export type TextSearch<Thing> = (part: string, limit: number) => readonly Thing[];

/** Stands between two texts; nobody types it. */
const between = "\0";

/** All texts are looked through as one, and as bytes, which takes a fraction of what each by itself would, or a string. */
export function createTextSearch<Thing>(things: readonly Thing[], textOf: (thing: Thing) => string): TextSearch<Thing> {
  const ends: number[] = [];
  let length = 0;
  const texts = things.map((thing) => {
    const text = textOf(thing);
    length += Buffer.byteLength(text) + between.length;
    ends.push(length);
    return text + between;
  });
  const whole = Buffer.from(texts.join(""));
  return (part, limit) => {
    const found: Thing[] = [];
    if (part.includes(between)) return found;
    let at = whole.indexOf(part);
    while (at !== -1 && at < length && found.length < limit) {
      const index = firstAbove(ends, at);
      found.push(...things.slice(index, index + 1));
      at = whole.indexOf(part, ends[index]);
    }
    return found;
  };
}

/** The place of the first of these ascending numbers that is greater. */
function firstAbove(numbers: readonly number[], value: number): number {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] ?? 0) > value) high = middle;
    else low = middle + 1;
  }
  return low;
}
