export interface AgedCache<V> {
  /** `youngerThanMs`: for a caller that needs a fresher value than the cache keeps. */
  get(key: string, youngerThanMs?: number): Promise<V>;
}

/** Keeps a loaded value for `maxAgeMs`. Concurrent callers share one load. A failure is not kept, and the earlier value stays. */
export function createAgedCache<V>(
  load: (key: string) => Promise<V>,
  { elapsedMs, maxAgeMs, maxEntries = 10_000 }: { elapsedMs: () => number; maxAgeMs: number; maxEntries?: number },
): AgedCache<V> {
  const kept = new Map<string, { readonly at: number; readonly value: Promise<V> }>();
  return {
    get: (key, youngerThanMs = maxAgeMs) => {
      const known = kept.get(key);
      if (known && elapsedMs() - known.at < youngerThanMs) return known.value;
      const value = load(key);
      kept.delete(key);
      kept.set(key, { at: elapsedMs(), value });
      const [oldest] = kept.keys();
      if (kept.size > maxEntries && oldest !== undefined) kept.delete(oldest);
      value.catch(() => {
        if (kept.get(key)?.value !== value) return;
        kept.delete(key);
        if (known) kept.set(key, known);
      });
      return value;
    },
  };
}
