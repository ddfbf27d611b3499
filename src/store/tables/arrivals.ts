import type { Selectable } from "kysely";
import type { ResourceGroupTable } from "../db/database.ts";

/** What the statement that recorded a request also found, so that its handling need not ask the database again. */
export interface Arrivals {
  note(receiptId: string, groups: readonly Selectable<ResourceGroupTable>[]): void;
  /** It was received again, and may have been acted on. */
  forget(receiptId: string): void;
  /** Whether a request with this key arrived just now and never before. */
  isFirst(receiptId: string): boolean;
  /** The saved groups when it arrived, just now. */
  groupsAt(receiptId: string): readonly Selectable<ResourceGroupTable>[] | undefined;
}

/** A request that waits for longer asks again. */
const maxAgeMs = 1500;

export function createArrivals(elapsedMs: () => number): Arrivals {
  const arrivals = new Map<
    string,
    { readonly at: number; readonly groups: readonly Selectable<ResourceGroupTable>[] }
  >();
  const find = (id: string) => {
    const arrival = arrivals.get(id);
    return arrival && elapsedMs() - arrival.at <= maxAgeMs ? arrival : undefined;
  };
  return {
    note: (id, groups) => {
      for (const [other] of arrivals) {
        if (find(other)) break;
        arrivals.delete(other);
      }
      // At the end, where the newest are.
      arrivals.delete(id);
      arrivals.set(id, { at: elapsedMs(), groups });
    },
    forget: (id) => void arrivals.delete(id),
    isFirst: (id) => find(id) !== undefined,
    groupsAt: (id) => find(id)?.groups,
  };
}
