/** Whether requests arrived before, as their record found out: so their handling need not ask the database again. */
export interface Arrivals {
  note(receiptId: string, isFirst: boolean): void;
  /** It may have been acted on. */
  forget(receiptId: string): void;
  /** Whether a request with this key arrived just now and never before. */
  isFirst(receiptId: string): boolean;
}

/** A request that waits for longer asks again. */
const maxAgeMs = 1500;

export function createArrivals(elapsedMs: () => number): Arrivals {
  const firsts = new Map<string, number>();
  const isFirst = (id: string) => elapsedMs() - (firsts.get(id) ?? Number.NEGATIVE_INFINITY) <= maxAgeMs;
  return {
    note: (id, isNew) => {
      for (const [other] of firsts) {
        if (isFirst(other)) break;
        firsts.delete(other);
      }
      // Received twice in the same millisecond, it is not new the second time.
      if (isNew && !firsts.has(id)) firsts.set(id, elapsedMs());
      else firsts.delete(id);
    },
    forget: (id) => void firsts.delete(id),
    isFirst,
  };
}
