import { type Selectable, sql } from "kysely";
import type { KnownKind } from "../commands/field.ts";
import { type Db, isPostgres, type KnownTable } from "./database.ts";
import { searchedText } from "./migrations/006-search-as-it-grows.ts";

type Row = Selectable<KnownTable>;

/** Those with exactly this name or e-mail address, without regard to case; neither ended nor expired. */
export async function knownCalled(db: Db, kind: KnownKind, text: string, now: number): Promise<readonly Row[]> {
  const key = text.trim().toLowerCase();
  // Each way of being called by its own index, and nothing else asked at once: SQLite would else walk all of the kind.
  const calledSo = (by: "name_key" | "email_key") =>
    db.selectFrom("known").select(["id", "ended_at", "expires_at"]).where("kind", "=", kind).where(by, "=", key);
  const called = await calledSo("name_key").unionAll(calledSo("email_key")).execute();
  // An expired thing is still found by its id, but no longer by its name: that may be another's by then.
  const live = called.filter(({ ended_at, expires_at }) => ended_at === null && (expires_at ?? now + 1) > now);
  if (live.length === 0) return [];
  const ids = live.map(({ id }) => id).sort();
  return db
    .selectFrom("known")
    .selectAll()
    .where("kind", "=", kind)
    .where("id", "in", ids.slice(0, mostNamesakes))
    .orderBy("id")
    .execute();
}

const mostNamesakes = 20;

interface Search {
  readonly kind: KnownKind;
  readonly text: string;
  readonly limit: number;
}

/** Those whose id, name or e-mail address contains the text, without regard to case, by name; neither ended nor expired. */
export async function searchKnown(db: Db, search: Search, now: number): Promise<readonly Row[]> {
  // Each by an index of its own: of what ends, most has ended long since.
  const unending = await searching(db, search).where("expires_at", "is", null).execute();
  const unexpired = await searching(db, search).where("expires_at", ">", now).execute();
  return unexpired.length === 0 ? unending : [...unending, ...unexpired].sort(byName).slice(0, search.limit);
}

function searching(db: Db, { kind, text, limit }: Search) {
  const said = text.trim().toLowerCase();
  const place = isPostgres(db) ? sql`strpos(${searchedText}, ${said})` : sql`instr(${searchedText}, ${said})`;
  return db
    .selectFrom("known")
    .selectAll()
    .where("kind", "=", kind)
    .where("ended_at", "is", null)
    .where(sql<boolean>`${place} > 0`)
    .orderBy((column) => column.fn.coalesce("name_key", "id"))
    .orderBy("id")
    .limit(limit);
}

function byName(one: Row, other: Row): number {
  const [name, otherName] = [one.name_key ?? one.id, other.name_key ?? other.id];
  if (name === otherName) return one.id < other.id ? -1 : 1;
  return name < otherName ? -1 : 1;
}
