/** The items of each key, in their order; those without a key are left out. `Map.groupBy` does the same from Node 21 on. */
export const groupBy = <T, K>(items: Iterable<T>, keyOf: (item: T) => K | undefined): ReadonlyMap<K, readonly T[]> =>
  indexBy(items, (item) => {
    const key = keyOf(item);
    return key === undefined ? [] : [key];
  });

/** The same, where an item may have several keys. */
export function indexBy<T, K>(items: Iterable<T>, keysOf: (item: T) => Iterable<K>): ReadonlyMap<K, readonly T[]> {
  const index = new Map<K, T[]>();
  for (const item of items)
    for (const key of keysOf(item)) {
      const others = index.get(key);
      if (others) others.push(item);
      else index.set(key, [item]);
    }
  return index;
}
