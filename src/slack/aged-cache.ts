export interface AgedCache<V> {
  get(key: string): Promise<V>;
}

/** Keeps what `load` gave for `maxAgeMs`. Callers that come while it loads share the one load; a failure is not kept. */
export function createAgedCache<V>(
  load: (key: string) => Promise<V>,
  { now, maxAgeMs, maxEntries = 10_000 }: { now: () => number; maxAgeMs: number; maxEntries?: number },
): AgedCache<V> {
  const kept = new Map<string, { readonly at: number; readonly value: Promise<V> }>();
  return {
    get: (key) => {
      const known = kept.get(key);
      if (known && now() - known.at < maxAgeMs) return known.value;
      const value = load(key);
      kept.delete(key);
      kept.set(key, { at: now(), value });
      const [oldest] = kept.keys();
      if (kept.size > maxEntries && oldest !== undefined) kept.delete(oldest);
      value.catch(() => {
        if (kept.get(key)?.value === value) kept.delete(key);
      });
      return value;
    },
  };
}
