import { type Kysely, type Selectable, sql } from "kysely";
import type { TextSearch } from "../directory/text-search.ts";
import type { ChangeTable, Database, Db, EntityTable, ResourceGroupTable } from "./db/database.ts";
import { atEnd } from "./db/transact.ts";
import { createNextDue, type NextDue } from "./next-due.ts";
import { Waiting } from "./tables/waiting.ts";

/** What is kept, by key. */
interface Kept {
  /** By kind and id, as the service compares ids. */
  readonly entity: readonly Selectable<EntityTable>[];
  /** By the key of a resource: the exclusions that name it, the latest first. */
  readonly exclusions: readonly Naming[];
  /** By kind: the ids of those without an end, by their names. */
  readonly names: TextSearch<string>;
  /** All, under one key. */
  readonly groups: readonly Selectable<ResourceGroupTable>[];
  /** By id. */
  readonly change: Selectable<ChangeTable> | undefined;
  /** By kind and id of their subject: the changes that were made. */
  readonly about: readonly Selectable<ChangeTable>[];
}

export interface Naming {
  readonly exclusionId: string;
  /** Until when the exclusion names the resource. */
  readonly until: number;
}

/** Of an entity, as the service compares ids: without regard to case. */
export const entityKey = (kind: string, id: string): string => `${kind} ${id.toLowerCase()}`;

interface Entry<T> {
  /** Undefined until the transaction that wrote it has ended. */
  value: Promise<T> | undefined;
}

/**
 * What the one process that uses a database knows of it. Whatever it writes itself it forgets, or renews, in the transaction that
 * writes; what a tool beside it writes (`directory import`) is noticed by the version that SQLite counts. Processes that share a
 * database know nothing, and read.
 */
export class Known {
  readonly #kept: { readonly [K in keyof Kept]: Map<string, Entry<Kept[K]>> } = {
    entity: new Map(),
    exclusions: new Map(),
    names: new Map(),
    groups: new Map(),
    change: new Map(),
    about: new Map(),
  };
  readonly waiting: Waiting;
  readonly nextJob: NextDue;
  /** Who has the answer about which change: messages that would give it need not be sent. */
  readonly answered: { readonly changeId: string; readonly userId: string }[] = [];
  /** The hash of the last transition. */
  head: string | undefined;
  #version: number | undefined;
  #versionAt = Number.NEGATIVE_INFINITY;
  readonly #elapsedMs: () => number;

  constructor(now: () => number, elapsedMs: () => number) {
    this.waiting = new Waiting(now);
    this.nextJob = createNextDue(now);
    this.#elapsedMs = elapsedMs;
  }

  keptIn<K extends keyof Kept>(what: K): Map<string, Entry<Kept[K]>> {
    return this.#kept[what];
  }

  /** The version of what others wrote, as it was read just now. */
  note(version: number): void {
    this.#versionAt = this.#elapsedMs();
    if (version === this.#version) return;
    this.#version = version;
    this.head = undefined;
    this.waiting.forget();
    this.nextJob.forget();
    for (const kept of Object.values(this.#kept)) kept.clear();
  }

  async lookForOthers(db: Kysely<Database>): Promise<void> {
    if (Math.abs(this.#elapsedMs() - this.#versionAt) <= maxUnseenMs) return;
    const row = await db.selectNoFrom(othersVersion.as("version")).executeTakeFirstOrThrow();
    this.note(row.version);
  }
}

/** How long what a tool wrote may go unnoticed. */
const maxUnseenMs = 1000;
/** Of each kind; the oldest go first. */
const maxKept = 1000;

/** Changes with every commit of another connection (sqlite.org/pragma.html#pragma_data_version). */
export const othersVersion = sql<number>`(select data_version from pragma_data_version)`;

const known = new WeakMap<object, Known>();

const keyOf = (db: Kysely<Database>): object => db.getExecutor().adapter;

/** From now on this process alone writes to the database, and keeps what it knows. */
export function keepKnown(db: Db, now: () => number, elapsedMs: () => number): Known {
  const kept = new Known(now, elapsedMs);
  known.set(keyOf(db), kept);
  return kept;
}

export function knownOf(db: Kysely<Database>): Known | undefined {
  return known.get(keyOf(db));
}

/** What is known, or else read; in a transaction always read. */
export async function recall<K extends keyof Kept>(
  db: Kysely<Database>,
  what: K,
  key: string,
  read: () => Promise<Kept[K]>,
): Promise<Kept[K]> {
  const kept = await keptFor(db, what);
  return kept?.get(key)?.value ?? keep(kept, key, read());
}

/** The same for several keys, of which the unknown ones are read together. `read` gives the value of each of its keys. */
export async function recallEach<K extends keyof Kept>(
  db: Kysely<Database>,
  what: K,
  keys: readonly string[],
  read: (unknown: readonly string[]) => Promise<(key: string) => Kept[K]>,
): Promise<readonly Kept[K][]> {
  const kept = await keptFor(db, what);
  const unknown = keys.filter((key) => kept?.get(key)?.value === undefined);
  const values = unknown.length === 0 ? undefined : read(unknown);
  return Promise.all(
    keys.map((key) => {
      const value = kept?.get(key)?.value;
      return (
        value ??
        keep(
          kept,
          key,
          (values ?? read([key])).then((of) => of(key)),
        )
      );
    }),
  );
}

async function keptFor<K extends keyof Kept>(db: Kysely<Database>, what: K) {
  const known = db.isTransaction ? undefined : knownOf(db);
  await known?.lookForOthers(db);
  return known?.keptIn(what);
}

function keep<T>(kept: Map<string, Entry<T>> | undefined, key: string, value: Promise<T>): Promise<T> {
  if (!kept) return value;
  const entry = { value };
  put(kept, key, entry);
  value.catch(() => kept.get(key) === entry && kept.delete(key));
  return value;
}

/** Call in each transaction that writes it. Without a key, all. */
export function forget(db: Kysely<Database>, what: keyof Kept, key?: string): void {
  const kept = knownOf(db)?.keptIn(what);
  if (key === undefined) kept?.clear();
  else kept?.delete(key);
}

/** What this transaction writes is known from its end on, unless it is written again before. */
export function renew<K extends keyof Kept>(trx: Kysely<Database>, what: K, key: string, value: Kept[K]): void {
  const kept = knownOf(trx)?.keptIn(what);
  if (!kept) return;
  const entry: Entry<Kept[K]> = { value: undefined };
  put(kept, key, entry);
  atEnd(trx, (isCommitted) => {
    if (isCommitted) entry.value = Promise.resolve(value);
    else if (kept.get(key) === entry) kept.delete(key);
  });
}

function put<T>(kept: Map<string, Entry<T>>, key: string, entry: Entry<T>): void {
  kept.delete(key);
  kept.set(key, entry);
  const [oldest] = kept.keys();
  if (kept.size > maxKept && oldest !== undefined) kept.delete(oldest);
}
