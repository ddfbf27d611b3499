import { type Kysely, type Selectable, SqliteAdapter } from "kysely";
import type { TextSearch } from "../directory/text-search.ts";
import type { Database, EntityTable, ResourceGroupTable } from "./db/database.ts";

/** What is remembered, by key. */
interface Kept {
  /** By kind and id, as the service compares ids: the rows with that id. */
  readonly entity: readonly Selectable<EntityTable>[];
  /** The exclusions that were live at a moment, under one key. */
  readonly live: Live;
  /** By kind: the ids of those without an end, by their names. */
  readonly names: TextSearch<string>;
  /** All, under one key. */
  readonly groups: readonly Selectable<ResourceGroupTable>[];
  /** The place in the history of the last import, under one key. Only other processes import. */
  readonly imports: number;
  /** By the keys of resources: the exclusions that name them. */
  readonly naming: readonly Naming[];
}

export interface Live {
  readonly at: number;
  /** Soonest expiry first. */
  readonly rows: readonly Selectable<EntityTable>[];
}

export interface Naming {
  readonly exclusionId: string;
  /** Until when the exclusion names the resource. */
  readonly until: number;
  /** Among the exclusions that name it, the latest first. */
  readonly place: number;
}

/** Of each kind; the oldest go first. */
const maxKept = 1000;

/**
 * What a process that opened a SQLite file remembers of it. Whoever writes something here forgets it in the same transaction. Reads wait
 * for open transactions (sqlite-driver.ts), so nobody remembers what was true before; transactions themselves always read. What another
 * process writes (`directory import`) is noticed immediately, by the version that SQLite counts. With PostgreSQL nothing is remembered.
 */
export class KnowingAdapter extends SqliteAdapter {
  readonly kept: { readonly [K in keyof Kept]: Map<string, Promise<Kept[K]>> } = {
    entity: new Map(),
    live: new Map(),
    names: new Map(),
    groups: new Map(),
    imports: new Map(),
    naming: new Map(),
  };
  /** The hash of the last transition. Appending compares it with the stored one. */
  head: string | undefined;
  readonly #othersVersion: () => number;
  #version = Number.NaN;

  /** `othersVersion` changes with every commit of another connection. */
  constructor(othersVersion: () => number) {
    super();
    this.#othersVersion = othersVersion;
  }

  /** Forgets everything if another connection has written. */
  upToDate(): this {
    const version = this.#othersVersion();
    if (version !== this.#version) {
      for (const kept of Object.values(this.kept)) kept.clear();
      this.head = undefined;
    }
    this.#version = version;
    return this;
  }
}

export function knownOf(db: Kysely<Database>): KnowingAdapter | undefined {
  const { adapter } = db.getExecutor();
  return adapter instanceof KnowingAdapter ? adapter.upToDate() : undefined;
}

/** What is known under each of these keys; `read` gives it for those that are unknown. In a transaction all are read. */
export async function recall<K extends keyof Kept>(
  db: Kysely<Database>,
  what: K,
  keys: readonly string[],
  read: (unknown: readonly string[]) => Promise<(key: string) => Kept[K]>,
): Promise<readonly Kept[K][]> {
  const kept: Map<string, Promise<Kept[K]>> = (db.isTransaction ? undefined : knownOf(db)?.kept[what]) ?? new Map();
  const unknown = keys.filter((key) => !kept.has(key));
  const reading = unknown.length === 0 ? undefined : read(unknown);
  const values = keys.map((key) => kept.get(key) ?? (reading ?? read([key])).then((of) => of(key)));
  for (const [index, key] of keys.entries()) {
    const value = values[index];
    if (!value || kept.has(key)) continue;
    kept.set(key, value);
    value.catch(() => kept.get(key) === value && kept.delete(key));
    const [oldest] = kept.keys();
    if (kept.size > maxKept && oldest !== undefined) kept.delete(oldest);
  }
  return Promise.all(values);
}

/** Call in the transaction that writes it. Without a key, all. */
export function forget(db: Kysely<Database>, what: keyof Kept, key?: string): void {
  const kept = knownOf(db)?.kept[what];
  if (key === undefined) kept?.clear();
  else kept?.delete(key);
}
