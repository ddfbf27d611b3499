/** Finds items by a part of their text. */
export type TextSearch<Item> = (part: string, limit: number) => readonly Item[];

/** Separates two texts; nobody types it. */
const separator = "\0";

/**
 * `texts`: the text of each item. All are searched as one buffer, which takes a fraction of the time of searching each string.
 */
export function createTextSearch<Item>(items: readonly Item[], texts: readonly string[]): TextSearch<Item> {
  const whole = Buffer.from(texts.map((text) => text + separator).join(""));
  const ends = endsOf(texts);
  return (part, limit) => {
    const found: Item[] = [];
    if (part.includes(separator)) return found;
    let at = whole.indexOf(part);
    while (at !== -1 && at < whole.length && found.length < limit) {
      const index = firstAbove(ends, at);
      found.push(...items.slice(index, index + 1));
      at = whole.indexOf(part, ends[index]);
    }
    return found;
  };
}

/** The end of each text, in bytes. */
function endsOf(texts: readonly string[]): readonly number[] {
  let length = 0;
  return texts.map((text) => {
    length += Buffer.byteLength(text + separator);
    return length;
  });
}

/** The index of the first of these ascending numbers that is greater. */
function firstAbove(numbers: readonly number[], value: number): number {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] ?? 0) > value) high = middle;
    else low = middle + 1;
  }
  return low;
}
