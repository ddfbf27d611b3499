import type { CompiledQuery, Kysely, Selectable } from "kysely";
import {
  type DirectoryStore,
  type EntityKind,
  entityKinds,
  type NewEntity,
  type RemovedEntity,
} from "../../../directory/directory.ts";
import { type Database, type Db, type EntityTable, isPostgres } from "../../db/database.ts";
import { prepared } from "../../db/prepared.ts";
import { type OnUnreadable, readRows } from "../../db/read-rows.ts";
import { isSameId } from "../../db/same-id.ts";
import { configureEntities } from "./configured-entities.ts";
import { columnsOf, entityOf, factsIn, modifiedAt, parsedOrEmpty } from "./entity-row.ts";
import {
  exclusionIdsNaming,
  forgetResources,
  latestNaming,
  prepareResources,
  rememberResources,
} from "./excluded-resource-table.ts";
import { createNameSearch, entitiesNamed, everNamed, invalidateNames, searchEntities } from "./search-entities.ts";

export function createDirectoryStore(db: Db, now: () => number, onUnreadable: OnUnreadable): DirectoryStore {
  const entitiesOf = <K extends EntityKind>(kind: K, rows: readonly Selectable<EntityTable>[]) =>
    readRows(`entity ${kind}`, rows, (row) => entityOf(kind, row), onUnreadable);
  const names = isPostgres(db) ? undefined : createNameSearch(db);
  return {
    remember: (entities) => db.transaction().execute((trx) => rememberEntities(trx, entities)),
    configure: (entities) => configureEntities(db, entities),
    get: async (kind, id) => {
      const [row] = await entityById(db, { kind, id });
      return row && entityOf(kind, row);
    },
    match: async (kind, text) => {
      const [exact] = await entityById(db, { kind, id: text.trim() });
      if (exact?.ended_at === null) return entitiesOf(kind, [exact]);
      return entitiesOf(kind, await entitiesNamed(db, kind, text, now()));
    },
    search: async (kind, text, limit) =>
      entitiesOf(kind, await searchEntities(db, { kind, text, limit }, now(), names)),
    named: async (text) => {
      const rows = await everNamed(db, { id: text.trim(), key: text.trim().toLowerCase() });
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

interface EntityKey {
  readonly kind: string;
  readonly id: string;
}

/** The one with exactly this id first. */
const entityById = prepared((db, { kind, id }: EntityKey) =>
  db
    .selectFrom("entity")
    .selectAll()
    .where("kind", "=", kind)
    .where(isSameId("id", id))
    .orderBy(({ eb }) => eb.case().when("id", "=", id).then(0).else(1).end())
    .limit(1),
);

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
  const existing = await lockBody(db, { kind, id });
  if (!weak || existing.length === 0) invalidateNames(db, kind);
  const isOld = existing.some(({ body_json }) => modifiedAt(body) < modifiedAt(parsedOrEmpty(body_json)));
  const hasOwner = existing.some(({ owner_id, ended_at }) => owner_id !== null && ended_at === null);
  const { project_id, ...news } = columns;
  const replaced = new Set<keyof EntityTable>([
    ...(isOld ? [] : ([...keysOf(news), "ended_at"] as const)),
    ...(ownerId && !hasOwner ? (["owner_id"] as const) : []),
    ...(project_id === null ? [] : (["project_id"] as const)),
    "from_config",
  ]);
  const row = { kind, id, owner_id: ownerId ?? null, ended_at: null, from_config: 0, imported_json: null, ...columns };
  await insertEntity(db, row, weak ? "" : [...replaced].join());
  if (kind !== "exclusion" || isOld) return;
  if (existing.length > 0) await forgetResources(db, { exclusion_id: id });
  if (columns.expires_at !== null) await rememberResources(db, id, factsIn(body).resourceIds ?? [], columns.expires_at);
}

/**
 * PostgreSQL: the statements that store an entity that this answer created, the first of them with a row for the entity, and without one
 * if it is known already. Undefined for any other entity.
 */
export function prepareNewEntity(
  db: Kysely<Database>,
  entity: NewEntity | RemovedEntity,
): readonly CompiledQuery[] | undefined {
  if (!("body" in entity) || entity.ownerId === undefined || entity.weak) return undefined;
  const { kind, id, body, ownerId } = entity;
  const columns = columnsOf(body);
  const { expires_at: end } = columns;
  const named = kind === "exclusion" ? (factsIn(body).resourceIds ?? []) : [];
  const resources = end === null ? [] : prepareResources(db, id, named, end);
  invalidateNames(db, kind);
  return [
    insertEntity.query(
      db,
      { kind, id, owner_id: ownerId, ended_at: null, from_config: 0, imported_json: null, ...columns },
      "",
    ),
    ...resources,
  ];
}

/** `variant`: the columns to replace in an existing row; none leaves it as it is. */
const insertEntity = prepared((db, row: EntityTable, variant) =>
  db
    .insertInto("entity")
    .values(row)
    .onConflict((conflict) => {
      const target = conflict.columns(["kind", "id"]);
      const replaced = keysOf(row).filter((name) => variant.split(",").includes(name));
      return replaced.length === 0
        ? target.doNothing()
        : target.doUpdateSet(({ ref }) => Object.fromEntries(replaced.map((name) => [name, ref(`excluded.${name}`)])));
    })
    .returning("id"),
);

const keysOf = <T extends object>(row: T) => Object.keys(row) as (keyof T & string)[];

/** The stored body, locked: answers may arrive out of order, so the newer one must win. */
const lockBody = prepared((db, { kind, id }: EntityKey) =>
  db
    .selectFrom("entity")
    .select(["body_json", "owner_id", "ended_at"])
    .where("kind", "=", kind)
    .where("id", "=", id)
    // Until the end of the transaction.
    .$if(isPostgres(db), (query) => query.forUpdate()),
);

async function forget(db: Kysely<Database>, { kind, id, at }: RemovedEntity): Promise<void> {
  // `from_config: 0`, so that reloading the config does not revive it.
  const ended = { ended_at: at, from_config: 0 };
  invalidateNames(db, kind);
  await db.updateTable("entity").set(ended).where("kind", "=", kind).where("id", "=", id).execute();
}
