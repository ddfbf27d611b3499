import { type Kysely, type Selectable, sql } from "kysely";
import { z } from "zod";
import {
  type DirectoryStore,
  type Entity,
  type EntityBody,
  type EntityKind,
  entityKind,
  entityKinds,
  type NewEntity,
  type RemovedEntity,
} from "../../directory/directory.ts";
import { type Database, type Db, type EntityTable, isPostgres } from "../db/database.ts";
import { prepared } from "../db/prepared.ts";
import { type OnUnreadable, readRows } from "../db/read-rows.ts";
import { exclusionIdsNaming, forgetResources, latestNaming, rememberResources } from "./excluded-resource-table.ts";
import { createNameSearch, entitiesNamed, everNamed, invalidateNames, searchEntities } from "./search-entities.ts";

export function createDirectoryStore(db: Db, now: () => number, onUnreadable: OnUnreadable): DirectoryStore {
  const entitiesOf = <K extends EntityKind>(kind: K, rows: readonly Selectable<EntityTable>[]) =>
    readRows(`entity ${kind}`, rows, (row) => entityOf(kind, row), onUnreadable);
  const names = isPostgres(db) ? undefined : createNameSearch(db);
  return {
    remember: (entities) => db.transaction().execute((trx) => rememberEntities(trx, entities)),
    configure: (entities) => db.transaction().execute((trx) => configure(trx, entities)),
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

const entityById = prepared((db, { kind, id }: EntityKey) =>
  db.selectFrom("entity").selectAll().where("kind", "=", kind).where("id", "=", id),
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
  const row = { kind, id, owner_id: ownerId ?? null, ended_at: null, from_config: 0, ...columns };
  await insertEntity(db, row, weak ? "" : [...replaced].join());
  if (kind !== "exclusion" || isOld) return;
  if (existing.length > 0) await forgetResources(db, { exclusion_id: id });
  if (columns.expires_at !== null)
    await rememberResources(db, id, facts.parse(body).resourceIds ?? [], columns.expires_at);
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
    }),
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

/** An unreadable body must not block its successor. */
function parsedOrEmpty(json: string): object {
  try {
    return facts.parse(JSON.parse(json));
  } catch {
    return {};
  }
}

/** NaN without a date; it compares as neither older nor newer. */
function modifiedAt(body: object): number {
  return Date.parse(facts.parse(body).lastModifiedDate ?? "");
}

/** Replaces the config file's entities. Keeps what the service said; removed entities stay removed. */
async function configure(db: Kysely<Database>, entities: readonly NewEntity[]): Promise<void> {
  // Locks out other writers: rows taken in any order would deadlock when instances start together. Readers don't wait.
  if (isPostgres(db)) await sql`lock table entity in exclusive mode`.execute(db);
  for (const kind of entityKinds) invalidateNames(db, kind);
  await db.deleteFrom("entity").where("from_config", "=", 1).execute();
  // Only the config says which project a credential belongs to.
  await db.updateTable("entity").set({ project_id: null }).where("kind", "=", "credential").execute();
  const rows = entities.map(({ kind, id, body }) => ({
    ...{ kind, id, owner_id: null, ended_at: null, from_config: 1 },
    ...columnsOf(body),
  }));
  for (let first = 0; first < rows.length; first += batchSize)
    await nameUnnamed(db, rows.slice(first, first + batchSize));
  for (const { kind, id, project_id } of rows.filter((row) => row.kind === "credential"))
    await db.updateTable("entity").set({ project_id }).where("kind", "=", kind).where("id", "=", id).execute();
}

const batchSize = 500;

/** Inserts new entities, and names those that were only mentioned so far. */
async function nameUnnamed(db: Kysely<Database>, rows: readonly EntityTable[]): Promise<void> {
  await db
    .insertInto("entity")
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .columns(["kind", "id"])
        .doUpdateSet(({ ref }) => ({
          name: ref("excluded.name"),
          name_key: ref("excluded.name_key"),
          email: ref("excluded.email"),
          email_key: ref("excluded.email_key"),
          project_id: ref("excluded.project_id"),
          expires_at: ref("excluded.expires_at"),
          body_json: ref("excluded.body_json"),
          from_config: 1,
        }))
        .where("entity.name", "is", null)
        .where("entity.ended_at", "is", null),
    )
    .execute();
}

async function forget(db: Kysely<Database>, { kind, id, at }: RemovedEntity): Promise<void> {
  // `from_config: 0`, so that reloading the config does not revive it.
  const ended = { ended_at: at, from_config: 0 };
  invalidateNames(db, kind);
  await db.updateTable("entity").set(ended).where("kind", "=", kind).where("id", "=", id).execute();
}

const facts = z.looseObject({
  name: z.string().nullish().catch(null),
  username: z.string().nullish().catch(null),
  emailAddress: z.string().nullish().catch(null),
  projectId: z.string().nullish().catch(null),
  expiryDate: z.string().nullish().catch(null),
  lastModifiedDate: z.string().nullish().catch(null),
  resourceIds: z.array(z.string()).nullish().catch(null),
});

function columnsOf(body: EntityBody<EntityKind>) {
  const { name, username, emailAddress, projectId, expiryDate } = facts.parse(body);
  const displayName = name ?? username ?? null;
  const expiresAt = expiryDate ? Date.parse(expiryDate) : Number.NaN;
  return {
    name: displayName,
    name_key: displayName?.toLowerCase() ?? null,
    email: emailAddress ?? null,
    email_key: emailAddress?.toLowerCase() ?? null,
    project_id: projectId ?? null,
    expires_at: Number.isNaN(expiresAt) ? null : expiresAt,
    body_json: JSON.stringify(body),
  };
}

function entityOf<K extends EntityKind>(kind: K, row: Selectable<EntityTable>): Entity<K> {
  return {
    kind,
    id: row.id,
    name: row.name,
    email: row.email,
    projectId: row.project_id,
    ownerId: row.owner_id,
    endedAt: row.ended_at,
    // The same schema read this answer before it was stored.
    body: entityKind(kind).schema.parse(JSON.parse(row.body_json)) as EntityBody<K>,
  };
}
