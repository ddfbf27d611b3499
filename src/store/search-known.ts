import { type ExpressionBuilder, type Selectable, sql } from "kysely";
import type { KnownKind } from "../commands/field.ts";
import type { Database, Db, KnownTable } from "./database.ts";
import { searchedText } from "./migrations/005-search-as-it-grows.ts";

type Row = Selectable<KnownTable>;

/** Those with exactly this name or e-mail address, without regard to case; neither ended nor expired. */
export function knownCalled(db: Db, kind: KnownKind, text: string, now: number): Promise<readonly Row[]> {
  const key = text.trim().toLowerCase();
  const calledSo = (by: "name_key" | "email_key") =>
    db.selectFrom("known").select("id").where("kind", "=", kind).where(by, "=", key);
  // Each way of being called by its own index, and then a cross join, which is taken as it is written: SQLite would else walk the kind.
  return db
    .with("called", () => calledSo("name_key").unionAll(calledSo("email_key")))
    .selectFrom("called")
    .crossJoin("known")
    .selectAll("known")
    .distinct()
    .whereRef("known.id", "=", "called.id")
    .where("known.kind", "=", kind)
    .where("known.ended_at", "is", null)
    .where((column) => isUnexpired(column, now))
    .orderBy("known.id")
    .limit(20)
    .execute();
}

/** An expired thing is still found by its id, but no longer by its name: that may be another's by then. */
function isUnexpired(column: ExpressionBuilder<Database, "known">, now: number) {
  return column.or([column("known.expires_at", "is", null), column("known.expires_at", ">", now)]);
}

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
  const pattern = `%${said.replace(/[\\%_]/g, "\\$&")}%`;
  return db
    .selectFrom("known")
    .selectAll()
    .where("kind", "=", kind)
    .where("ended_at", "is", null)
    .where(sql<boolean>`${searchedText} like ${pattern} escape '\\'`)
    .orderBy((column) => column.fn.coalesce("name_key", "id"))
    .orderBy("id")
    .limit(limit);
}

function byName(one: Row, other: Row): number {
  const [name, otherName] = [one.name_key ?? one.id, other.name_key ?? other.id];
  if (name === otherName) return one.id < other.id ? -1 : 1;
  return name < otherName ? -1 : 1;
}
