import { type Kysely, type Selectable, sql } from "kysely";
import { type EntityKind, entityKinds } from "../../../directory/directory.ts";
import { createTextSearch, type TextSearch } from "../../../directory/text-search.ts";
import { type Database, type Db, type EntityTable, isPostgres, isSameId } from "../../db/database.ts";
import { searchedText } from "../../db/migrations.ts";

type Row = Selectable<EntityTable>;

/** The entities with exactly this name or e-mail address, case-insensitive; neither ended nor expired. */
export async function entitiesNamed(db: Db, kind: EntityKind, text: string, now: number): Promise<readonly Row[]> {
  const key = text.trim().toLowerCase();
  // One indexed query per column, without other conditions: SQLite would walk all of the kind.
  const byKey = (by: "name_key" | "email_key") =>
    db.selectFrom("entity").select(["id", "ended_at", "expires_at"]).where("kind", "=", kind).where(by, "=", key);
  const candidates = await byKey("name_key").unionAll(byKey("email_key")).execute();
  // An expired entity is found by id only: its name may belong to another by now.
  const live = candidates.filter(({ ended_at, expires_at }) => ended_at === null && (expires_at ?? now + 1) > now);
  if (live.length === 0) return [];
  const ids = live.map(({ id }) => id).sort();
  return db
    .selectFrom("entity")
    .selectAll()
    .where("kind", "=", kind)
    .where("id", "in", ids.slice(0, maxMatches))
    .orderBy("id")
    .execute();
}

const maxMatches = 20;

/** The entities of every kind with exactly this id, name or e-mail address, ended ones too; the latest of too many. */
export function everNamed(db: Db, id: string, key: string): Promise<readonly Row[]> {
  // One indexed query per column.
  const all = db.selectFrom("entity").select(["kind", "id"]).where("kind", "in", entityKinds);
  const by = (column: "name_key" | "email_key") => all.where(column, "=", key);
  const keys = all.where(isSameId("id", id)).union(by("name_key")).union(by("email_key"));
  return db
    .selectFrom("entity")
    .innerJoin(keys.as("found"), (join) =>
      join.onRef("found.kind", "=", "entity.kind").onRef("found.id", "=", "entity.id"),
    )
    .selectAll("entity")
    .orderBy(sql`coalesce(expires_at, ${Number.MAX_SAFE_INTEGER})`, "desc")
    .orderBy("entity.id")
    .limit(maxNamed)
    .execute();
}

/** An exclusion made every day may have one name for years. */
const maxNamed = 50;

interface Search {
  readonly kind: EntityKind;
  readonly text: string;
  readonly limit: number;
}

/**
 * The entities whose id, name or e-mail address contains the text, case-insensitive, by name; neither ended nor expired.
 * `names` searches those without an end in memory; without it, the database does.
 */
export async function searchEntities(
  db: Db,
  { kind, text, limit }: Search,
  now: number,
  names?: NameSearch,
): Promise<readonly Row[]> {
  const search = { kind, text: text.trim().toLowerCase(), limit };
  // Separate queries for separate indexes: most entities with an end ended long ago.
  const unending = names
    ? await unendingWithIds(db, kind, await names(kind, search.text, limit))
    : await searching(db, search).where("expires_at", "is", null).execute();
  const unexpired = await searching(db, search).where("expires_at", ">", now).execute();
  // An entity that got an end in between is in both.
  const all = new Map([...unending, ...unexpired].map((row) => [row.id, row]));
  return [...all.values()].sort(byName).slice(0, limit);
}

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

/** Without those that got an end since the search. */
async function unendingWithIds(db: Db, kind: string, ids: readonly string[]): Promise<readonly Row[]> {
  if (ids.length === 0) return [];
  const unending = db.selectFrom("entity").selectAll().where("kind", "=", kind).where("id", "in", ids);
  return unending.where("ended_at", "is", null).where("expires_at", "is", null).execute();
}

function byName(one: Row, other: Row): number {
  const [name, otherName] = [one.name_key ?? one.id, other.name_key ?? other.id];
  if (name === otherName) return one.id < other.id ? -1 : 1;
  return name < otherName ? -1 : 1;
}

/** The ids of a kind's entities without an end whose searched text contains this (lower case), by name. */
export type NameSearch = (kind: EntityKind, text: string, limit: number) => Promise<readonly string[]>;

/** The names of a kind, to be searched in memory: a query per typed letter over thousands of rows is too slow. */
export async function readNames(db: Db, kind: EntityKind): Promise<TextSearch<string>> {
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
