import { type Kysely, type Selectable, sql } from "kysely";
import type { EntityKind } from "../../commands/field.ts";
import { type Database, type Db, type EntityTable, isPostgres } from "../db/database.ts";
import { searchedText } from "../db/migrations/006-search-as-it-grows.ts";
import { prepared } from "../db/prepared.ts";
import type { NameSearch } from "./name-search.ts";

type Row = Selectable<EntityTable>;

/** Those with exactly this name or e-mail address, without regard to case; neither ended nor expired. */
export async function entitiesCalled(db: Db, kind: EntityKind, text: string, now: number): Promise<readonly Row[]> {
  const key = text.trim().toLowerCase();
  // Each way of being called by its own index, and nothing else asked at once: SQLite would else walk all of the kind.
  const calledSo = (by: "name_key" | "email_key") =>
    db.selectFrom("entity").select(["id", "ended_at", "expires_at"]).where("kind", "=", kind).where(by, "=", key);
  const called = await calledSo("name_key").unionAll(calledSo("email_key")).execute();
  // An expired thing is still found by its id, but no longer by its name: that may be another's by then.
  const live = called.filter(({ ended_at, expires_at }) => ended_at === null && (expires_at ?? now + 1) > now);
  if (live.length === 0) return [];
  const ids = live.map(({ id }) => id).sort();
  return db
    .selectFrom("entity")
    .selectAll()
    .where("kind", "=", kind)
    .where("id", "in", ids.slice(0, mostNamesakes))
    .orderBy("id")
    .execute();
}

const mostNamesakes = 20;

interface Search {
  readonly kind: EntityKind;
  readonly text: string;
  readonly limit: number;
}

/**
 * Those whose id, name or e-mail address contains the text, without regard to case, by name; neither ended nor expired. `names` looks
 * through those that do not end; where it is left out, the database does.
 */
export async function searchEntities(
  db: Db,
  { kind, text, limit }: Search,
  now: number,
  names?: NameSearch,
): Promise<readonly Row[]> {
  const search = { kind, text: text.trim().toLowerCase(), limit };
  // Each by an index of its own: of what ends, most has ended long since.
  const unending = names
    ? await unendingWithIds(db, { kind, ids: JSON.stringify(await names(kind, search.text, limit)) })
    : await searchUnending(db, search);
  const unexpired = await searchUnexpired(db, { ...search, now });
  if (unexpired.length === 0) return unending;
  // What was given an end in between is in both.
  const all = new Map([...unending, ...unexpired].map((row) => [row.id, row]));
  return [...all.values()].sort(byName).slice(0, limit);
}

const searchUnending = prepared((db, search: Search) => searching(db, search).where("expires_at", "is", null));

const searchUnexpired = prepared((db, { now, ...search }: Search & { readonly now: number }) =>
  searching(db, search).where("expires_at", ">", now),
);

function searching(db: Kysely<Database>, { kind, text, limit }: Search) {
  const place = isPostgres(db) ? sql`strpos(${searchedText}, ${text})` : sql`instr(${searchedText}, ${text})`;
  return db
    .selectFrom("entity")
    .selectAll()
    .where("kind", "=", kind)
    .where("ended_at", "is", null)
    .where(sql<boolean>`${place} > 0`)
    .orderBy((column) => column.fn.coalesce("name_key", "id"))
    .orderBy("id")
    .limit(limit);
}

/** SQLite: in the order of the ids (a JSON list), without those that have been given an end since these were found. */
const unendingWithIds = prepared((db, { kind, ids }: { readonly kind: string; readonly ids: string }) =>
  db
    .selectFrom(sql<{ key: number; value: string }>`json_each(${ids})`.as("each"))
    // A cross join is taken in the order in which it is written: SQLite would else walk all of the kind.
    .crossJoin("entity")
    .selectAll("entity")
    .where("kind", "=", kind)
    .whereRef("entity.id", "=", "each.value")
    .where("ended_at", "is", null)
    .where("expires_at", "is", null)
    .orderBy("each.key"),
);

function byName(one: Row, other: Row): number {
  const [name, otherName] = [one.name_key ?? one.id, other.name_key ?? other.id];
  if (name === otherName) return one.id < other.id ? -1 : 1;
  return name < otherName ? -1 : 1;
}
