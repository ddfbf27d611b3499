export interface AgedCache<V> {
  /** `youngerThanMs`: for those who need it fresher than it is kept. */
  get(key: string, youngerThanMs?: number): Promise<V>;
}

/** Keeps what `load` gave for `maxAgeMs`. Callers that come while it loads share the one load; a failure is not kept, and leaves what was. */
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
