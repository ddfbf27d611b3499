import { type Kysely, sql } from "kysely";
import type { EntityKind } from "../../commands/field.ts";
import { createTextSearch, type TextSearch } from "../../directory/text-search.ts";
import type { Database, Db } from "../db/database.ts";
import { searchedText } from "../db/migrations/006-search-as-it-grows.ts";
import { prepared } from "../db/prepared.ts";

/** Gives the ids of those of a kind whose searched text contains this (in lower case), by name: only of what neither ends nor has ended. */
export type NameSearch = (kind: EntityKind, text: string, limit: number) => Promise<readonly string[]>;

/**
 * SQLite: looks through the names in memory, as a statement would take each of thousands by itself with every letter that is typed.
 * They are read anew after something of their kind was written here (`noteNames`), or anything by another connection.
 */
export function createNameSearch(db: Db): NameSearch {
  const kept = new Map<EntityKind, Kept>();
  const read = (kind: EntityKind, version: string): Kept => {
    // All who ask meanwhile wait for the same names.
    const names = { version, search: readNames(db, kind) };
    kept.set(kind, names);
    names.search.catch(() => kept.get(kind) === names && kept.delete(kind));
    return names;
  };
  return async (kind, text, limit) => {
    const written = writesOf(db).get(kind) ?? 0;
    const [elsewhere] = await dataVersion(db, {});
    const version = `${written}:${elsewhere?.version}`;
    const known = kept.get(kind);
    const { search } = known?.version === version ? known : read(kind, version);
    return (await search)(text, limit);
  };
}

interface Kept {
  readonly version: string;
  readonly search: Promise<TextSearch<string>>;
}

async function readNames(db: Db, kind: EntityKind): Promise<TextSearch<string>> {
  const rows = await db
    .selectFrom("entity")
    .select(["id", sql<string>`${searchedText}`.as("text")])
    .where("kind", "=", kind)
    .where("ended_at", "is", null)
    .where("expires_at", "is", null)
    .orderBy((column) => column.fn.coalesce("name_key", "id"))
    .orderBy("id")
    .execute();
  return createTextSearch(
    rows.map(({ id }) => id),
    rows.map(({ text }) => text),
  );
}

/** Changes with every commit of another connection (sqlite.org/pragma.html#pragma_data_version). */
const dataVersion = prepared((db) =>
  db.selectFrom(sql`pragma_data_version`.as("pragma")).select(sql<number>`data_version`.as("version")),
);

/** How often things of each kind were written, by database. */
const writes = new WeakMap<object, Map<EntityKind, number>>();

function writesOf(db: Kysely<Database>): Map<EntityKind, number> {
  const { adapter } = db.getExecutor();
  const counts = writes.get(adapter) ?? new Map<EntityKind, number>();
  writes.set(adapter, counts);
  return counts;
}

/** To be told of something that is written to the names of a kind, in the transaction that writes it. */
export function noteNames(db: Kysely<Database>, kind: EntityKind): void {
  const counts = writesOf(db);
  counts.set(kind, (counts.get(kind) ?? 0) + 1);
}
