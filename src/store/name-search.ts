import { type Kysely, sql } from "kysely";
import { createTextSearch, type TextSearch } from "../changes/text-search.ts";
import type { KnownKind } from "../commands/field.ts";
import type { Database, Db } from "./database.ts";
import { searchedText } from "./migrations/006-search-as-it-grows.ts";
import { prepared } from "./prepared.ts";

/** Gives the ids of those of a kind whose searched text contains this, in lower case; by name, and only of what neither ends nor has ended. */
export type NameSearch = (kind: KnownKind, text: string, limit: number) => Promise<readonly string[]>;

/**
 * SQLite: looks through the names in memory, as a statement would take each of thousands by itself with every letter that is typed.
 * They are read anew when something of their kind was written here (`noteNames`), or anything in another process.
 */
export function createNameSearch(db: Db): NameSearch {
  const kept = new Map<KnownKind, { readonly version: string; readonly search: TextSearch<string> }>();
  return async (kind, text, limit) => {
    const written = writesOf(db).get(kind) ?? 0;
    const [elsewhere] = await dataVersion(db, {});
    const version = `${written}:${elsewhere?.version}`;
    const known = kept.get(kind);
    const search = known?.version === version ? known.search : await readNames(db, kind);
    kept.set(kind, { version, search });
    return search(text, limit);
  };
}

async function readNames(db: Db, kind: KnownKind): Promise<TextSearch<string>> {
  const rows = await db
    .selectFrom("known")
    .select(["id", sql<string>`${searchedText}`.as("text")])
    .where("kind", "=", kind)
    .where("ended_at", "is", null)
    .where("expires_at", "is", null)
    .orderBy((column) => column.fn.coalesce("name_key", "id"))
    .orderBy("id")
    .execute();
  const texts = new Map(rows.map(({ id, text }) => [id, text]));
  return createTextSearch([...texts.keys()], (id) => texts.get(id) ?? "");
}

/** Changes with every commit of another process (sqlite.org/pragma.html#pragma_data_version). */
const dataVersion = prepared((db) =>
  db.selectFrom(sql`pragma_data_version`.as("pragma")).select(sql<number>`data_version`.as("version")),
);

/** How often things of each kind were written, by database. */
const writes = new WeakMap<object, Map<KnownKind, number>>();

function writesOf(db: Kysely<Database>): Map<KnownKind, number> {
  const { adapter } = db.getExecutor();
  const counts = writes.get(adapter) ?? new Map<KnownKind, number>();
  writes.set(adapter, counts);
  return counts;
}

/** To be told, in the transaction and before it writes, of what kinds something is written. */
export function noteNames(db: Kysely<Database>, kinds: readonly KnownKind[]): void {
  const counts = writesOf(db);
  for (const kind of kinds) counts.set(kind, (counts.get(kind) ?? 0) + 1);
}
