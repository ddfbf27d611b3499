/** Finds things by a part of a text of theirs. */
export type TextSearch<Thing> = (part: string, limit: number) => readonly Thing[];

/** Stands between two texts; nobody types it. */
const between = "\0";

/**
 * `texts`: of each thing, what it is found by. All are looked through as one, and as bytes: that takes a fraction of the time of each by
 * itself, or of a string.
 */
export function createTextSearch<Thing>(things: readonly Thing[], texts: readonly string[]): TextSearch<Thing> {
  const whole = Buffer.from(texts.map((text) => text + between).join(""));
  const ends = endsOf(texts);
  return (part, limit) => {
    const found: Thing[] = [];
    if (part.includes(between)) return found;
    let at = whole.indexOf(part);
    while (at !== -1 && at < whole.length && found.length < limit) {
      const index = firstAbove(ends, at);
      found.push(...things.slice(index, index + 1));
      at = whole.indexOf(part, ends[index]);
    }
    return found;
  };
}

/** Where each text is over, in bytes. */
function endsOf(texts: readonly string[]): readonly number[] {
  let length = 0;
  return texts.map((text) => {
    length += Buffer.byteLength(text + between);
    return length;
  });
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
