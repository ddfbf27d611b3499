import type { Kysely, Selectable } from "kysely";
import {
  type DirectoryStore,
  type EntityKind,
  entityKinds,
  type NewEntity,
  type RemovedEntity,
} from "../../../directory/directory.ts";
import { type Database, type Db, type EntityTable, isPostgres } from "../../db/database.ts";
import { type OnUnreadable, readRows } from "../../db/read-rows.ts";
import { isSameId } from "../../db/same-id.ts";
import { configureEntities } from "./configured-entities.ts";
import { columnsOf, entityOf, factsIn, modifiedAt, parsedOrEmpty } from "./entity-row.ts";
import { exclusionIdsNaming, forgetResources, latestNaming, rememberResources } from "./excluded-resource-table.ts";
import { createNameSearch, entitiesNamed, everNamed, invalidateNames, searchEntities } from "./search-entities.ts";

export function createDirectoryStore(db: Db, now: () => number, onUnreadable: OnUnreadable): DirectoryStore {
  const entitiesOf = <K extends EntityKind>(kind: K, rows: readonly Selectable<EntityTable>[]) =>
    readRows(`entity ${kind}`, rows, (row) => entityOf(kind, row), onUnreadable);
  const names = isPostgres(db) ? undefined : createNameSearch(db);
  return {
    remember: (entities) => db.transaction().execute((trx) => rememberEntities(trx, entities)),
    configure: (entities) => configureEntities(db, entities),
    get: async (kind, id) => {
      const [row] = await entityById(db, kind, id);
      return row && entityOf(kind, row);
    },
    match: async (kind, text) => {
      const [exact] = await entityById(db, kind, text.trim());
      if (exact?.ended_at === null) return entitiesOf(kind, [exact]);
      return entitiesOf(kind, await entitiesNamed(db, kind, text, now()));
    },
    search: async (kind, text, limit) =>
      entitiesOf(kind, await searchEntities(db, { kind, text, limit }, now(), names)),
    named: async (text) => {
      const rows = await everNamed(db, text.trim(), text.trim().toLowerCase());
      return entityKinds.flatMap((kind) =>
        entitiesOf(
          kind,
          rows.filter((row) => row.kind === kind),
        ),
      );
    },
    liveExclusions: async (at, resourceIds) => {
      const ids = resourceIds && (await exclusionIdsNaming(db, at, resourceIds));
      if (ids?.length === 0) return [];
      const rows = await db
        .selectFrom("entity")
        .selectAll()
        .where("kind", "=", "exclusion")
        .where("ended_at", "is", null)
        .where("expires_at", ">", at)
        .$if(ids !== undefined, (query) => query.where("id", "in", ids ?? []))
        .orderBy("expires_at")
        .orderBy("id")
        .execute();
      return entitiesOf("exclusion", rows);
    },
    exclusionsNaming: async (resourceIds) =>
      resourceIds.length === 0 ? [] : entitiesOf("exclusion", await latestNaming(db, resourceIds)),
  };
}

/** The one with exactly this id first. */
const entityById = (db: Db, kind: EntityKind, id: string) =>
  db
    .selectFrom("entity")
    .selectAll()
    .where("kind", "=", kind)
    .where(isSameId("id", id))
    .orderBy(({ eb }) => eb.case().when("id", "=", id).then(0).else(1).end())
    .limit(1)
    .execute();

/** Stores the entities of an answer and marks removed ones, in the caller's transaction. */
export async function rememberEntities(
  db: Kysely<Database>,
  entities: readonly (NewEntity | RemovedEntity)[],
): Promise<void> {
  // Sorted, so that two transactions never deadlock.
  const ordered = [...entities].sort((one, other) => compare(one.kind, other.kind) || compare(one.id, other.id));
  for (const entity of ordered) {
    if ("body" in entity) await remember(db, entity);
    else await forget(db, entity);
  }
}

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

async function remember(db: Kysely<Database>, { kind, id, body, ownerId, weak }: NewEntity): Promise<void> {
  const columns = columnsOf(body);
  const row = { kind, id, owner_id: ownerId ?? null, ended_at: null, from_config: 0, imported_json: null, ...columns };
  if (!weak) invalidateNames(db, kind);
  if (await insertEntity(db, row)) {
    invalidateNames(db, kind);
    return rememberResourcesOf(db, row, body);
  }
  if (weak) return;
  const [existing] = await lockBody(db, kind, id);
  const isOld = modifiedAt(body) < modifiedAt(parsedOrEmpty(existing?.body_json ?? "{}"));
  const hasOwner = existing?.owner_id !== null && existing?.ended_at === null;
  const { project_id, ...news } = columns;
  await db
    .updateTable("entity")
    .set({
      ...(isOld ? {} : { ...news, ended_at: null }),
      ...(ownerId && !hasOwner ? { owner_id: ownerId } : {}),
      ...(project_id === null ? {} : { project_id }),
      from_config: 0,
    })
    .where("kind", "=", kind)
    .where("id", "=", id)
    .execute();
  if (kind !== "exclusion" || isOld) return;
  await forgetResources(db, id);
  await rememberResourcesOf(db, row, body);
}

async function rememberResourcesOf(
  db: Kysely<Database>,
  { kind, id, expires_at }: Pick<EntityTable, "kind" | "id" | "expires_at">,
  body: object,
): Promise<void> {
  if (kind !== "exclusion" || expires_at === null) return;
  await rememberResources(db, id, factsIn(body).resourceIds ?? [], expires_at);
}

/** False for one that is known already. */
async function insertEntity(db: Kysely<Database>, row: EntityTable): Promise<boolean> {
  const inserted = db
    .insertInto("entity")
    .values(row)
    .onConflict((conflict) => conflict.columns(["kind", "id"]).doNothing())
    .returning("id");
  return (await inserted.executeTakeFirst()) !== undefined;
}

/** The stored body, locked: answers may arrive out of order, so the newer one must win. */
const lockBody = (db: Kysely<Database>, kind: string, id: string) =>
  db
    .selectFrom("entity")
    .select(["body_json", "owner_id", "ended_at"])
    .where("kind", "=", kind)
    .where("id", "=", id)
    // Until the end of the transaction.
    .$if(isPostgres(db), (query) => query.forUpdate())
    .execute();

async function forget(db: Kysely<Database>, { kind, id, at }: RemovedEntity): Promise<void> {
  // `from_config: 0`, so that reloading the config does not revive it.
  const ended = { ended_at: at, from_config: 0 };
  invalidateNames(db, kind);
  await db.updateTable("entity").set(ended).where("kind", "=", kind).where("id", "=", id).execute();
}
