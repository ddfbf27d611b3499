import type { Entity, EntityKind, NewEntity } from "../directory/directory.ts";
import type { Db } from "./db/database.ts";
import { openExisting } from "./db/open-existing.ts";
import { readRows } from "./db/read-rows.ts";
import { entityOf } from "./tables/directory/entity-row.ts";
import { type Imported, importEntities } from "./tables/directory/imported-entities.ts";

/** The directory for operators, also beside a running Curfew. */
export interface OpenDirectory {
  /** Stores what a file says; gives what it did with each entity, a few at a time. */
  add(entities: Iterable<NewEntity>): AsyncIterable<readonly Imported[]>;
  /** Those of a kind that were not removed, by id, read lazily. */
  entries<K extends EntityKind>(kind: K): AsyncIterable<Entity<K>>;
  close(): Promise<void>;
}

/** Opens the directory. Refuses a database with another version's schema. */
export async function openDirectory(database: string): Promise<OpenDirectory> {
  const db = await openExisting(database, "write");
  return {
    add: (entities) => importEntities(db, entities),
    entries: (kind) => entriesOf(db, kind),
    close: () => db.destroy(),
  };
}

const pageSize = 500;

async function* entriesOf<K extends EntityKind>(db: Db, kind: K): AsyncGenerator<Entity<K>> {
  for (let after = ""; ; ) {
    const rows = await db
      .selectFrom("entity")
      .selectAll()
      .where("kind", "=", kind)
      .where("ended_at", "is", null)
      .where("id", ">", after)
      .orderBy("id")
      .limit(pageSize)
      .execute();
    // An unreadable row is left out, as in the running Curfew.
    yield* readRows(
      `entity ${kind}`,
      rows,
      (row) => entityOf(kind, row),
      () => undefined,
    );
    const last = rows.at(-1);
    if (last === undefined || rows.length < pageSize) return;
    after = last.id;
  }
}
