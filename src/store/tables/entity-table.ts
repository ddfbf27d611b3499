import { type Kysely, type Selectable, sql } from "kysely";
import { z } from "zod";
import type { DirectoryStore, NewEntity, RemovedEntity } from "../../changes/ports.ts";
import { resourceKeys } from "../../commands/exclusion/resource-keys.ts";
import { type EntityKind, entityKinds } from "../../commands/field.ts";
import { type Entity, type EntityBody, entityBodies } from "../../directory/directory.ts";
import { type Database, type Db, type EntityTable, type ExcludedResourceTable, isPostgres } from "../db/database.ts";
import { prepared } from "../db/prepared.ts";
import { createNameSearch, noteNames } from "./name-search.ts";
import { type OnUnreadable, readRows } from "./read-rows.ts";
import { entitiesCalled, searchEntities } from "./search-entities.ts";

export function createDirectoryStore(db: Db, now: () => number, onUnreadable: OnUnreadable): DirectoryStore {
  const thingsOf = <K extends EntityKind>(kind: K, rows: readonly Selectable<EntityTable>[]) =>
    readRows(`known ${kind}`, rows, (row) => thingOf(kind, row), onUnreadable);
  const names = isPostgres(db) ? undefined : createNameSearch(db);
  return {
    remember: (things) => db.transaction().execute((trx) => rememberThings(trx, things)),
    configure: (things) => db.transaction().execute((trx) => configure(trx, things)),
    get: async (kind, id) => {
      const [row] = await knownById(db, { kind, id });
      return row && thingOf(kind, row);
    },
    match: async (kind, text) => {
      const [exact] = await knownById(db, { kind, id: text.trim() });
      if (exact?.ended_at === null) return thingsOf(kind, [exact]);
      return thingsOf(kind, await entitiesCalled(db, kind, text, now()));
    },
    search: async (kind, text, limit) => thingsOf(kind, await searchEntities(db, { kind, text, limit }, now(), names)),
    liveExclusions: async (at, resourceIds) => {
      const ids = resourceIds && (await excludersOf(db, at, resourceIds));
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
      return thingsOf("exclusion", rows);
    },
    exclusionsNaming: async (resourceIds) =>
      resourceIds.length === 0 ? [] : thingsOf("exclusion", await latestNaming(db, resourceIds)),
  };
}

/** Some for each resource, so that many of one never hide the only one of another. */
const latestForEach = 5;

function latestNaming(db: Db, resourceIds: readonly string[]) {
  const numbered = db
    .selectFrom("excluded_resource")
    .select("exclusion_id")
    .select(
      sql<number>`row_number() over (partition by resource_key order by expires_at desc, exclusion_id desc)`.as(
        "place",
      ),
    )
    .where("resource_key", "in", [...new Set(resourceIds.map(resourceKey))]);
  return db
    .selectFrom("entity")
    .selectAll()
    .where("kind", "=", "exclusion")
    .where("id", "in", (inner) =>
      inner.selectFrom(numbered.as("numbered")).select("exclusion_id").where("place", "<=", latestForEach),
    )
    .orderBy("id")
    .execute();
}

interface ThingKey {
  readonly kind: string;
  readonly id: string;
}

const knownById = prepared((db, { kind, id }: ThingKey) =>
  db.selectFrom("entity").selectAll().where("kind", "=", kind).where("id", "=", id),
);

/** The ids of the exclusions that name one of these resources and last beyond a moment. */
async function excludersOf(db: Db, at: number, resourceIds: readonly string[]): Promise<readonly string[]> {
  if (resourceIds.length === 0) return [];
  const rows = await db
    .selectFrom("excluded_resource")
    .select("exclusion_id")
    .distinct()
    .where("resource_key", "in", resourceIds.map(resourceKey))
    .where("expires_at", ">", at)
    .execute();
  return rows.map((row) => row.exclusion_id);
}

const resourceKey = (id: string): string => id.toLowerCase();

/** Keeps what was learnt and marks what is gone, within the caller's transaction. */
export async function rememberThings(
  db: Kysely<Database>,
  things: readonly (NewEntity | RemovedEntity)[],
): Promise<void> {
  // Always in the same order, so that two who remember the same things never wait for each other.
  const ordered = [...things].sort((one, other) => compare(one.kind, other.kind) || compare(one.id, other.id));
  for (const thing of ordered) {
    if ("body" in thing) await remember(db, thing);
    else await forget(db, thing);
  }
}

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

async function remember(db: Kysely<Database>, { kind, id, body, ownerId, weak }: NewEntity): Promise<void> {
  const told = columnsOf(body);
  const held = await bodyHeld(db, { kind, id });
  if (!weak || held.length === 0) noteNames(db, kind);
  const isOld = held.some(({ body_json }) => modifiedAt(body) < modifiedAt(parsedOrEmpty(body_json)));
  // What an answer does not tell of these stays known: where a thing belongs, and who made it.
  const { project_id, ...news } = told;
  const replaced = new Set<keyof EntityTable>([
    ...(isOld ? [] : ([...keysOf(news), "ended_at"] as const)),
    ...(ownerId ? (["owner_id"] as const) : []),
    ...(project_id === null ? [] : (["project_id"] as const)),
    "from_config",
  ]);
  const row = { kind, id, owner_id: ownerId ?? null, ended_at: null, from_config: 0, ...told };
  await insertEntity(db, row, weak ? "" : [...replaced].join());
  if (kind !== "exclusion" || isOld) return;
  if (held.length > 0) await forgetResources(db, { exclusion_id: id });
  await rememberResources(db, id, body, told.expires_at);
}

/** `variant`: the columns to be replaced of a thing that is known; none, when it is to be left as it is. */
const insertEntity = prepared((db, row: EntityTable, variant) =>
  db
    .insertInto("entity")
    .values(row)
    .onConflict((conflict) => {
      const known = conflict.columns(["kind", "id"]);
      const replaced = keysOf(row).filter((name) => variant.split(",").includes(name));
      return replaced.length === 0
        ? known.doNothing()
        : known.doUpdateSet(({ ref }) => Object.fromEntries(replaced.map((name) => [name, ref(`excluded.${name}`)])));
    }),
);

const keysOf = <T extends object>(row: T) => Object.keys(row) as (keyof T & string)[];

async function rememberResources(
  db: Kysely<Database>,
  exclusion_id: string,
  body: object,
  expires_at: number | null,
): Promise<void> {
  if (expires_at === null) return;
  const keys = new Set((facts.parse(body).resourceIds ?? []).flatMap((id) => resourceKeys(id)));
  const rows = [...keys].map((resource_key) => ({ exclusion_id, resource_key, expires_at }));
  for (let first = 0; first < rows.length; first += resourcesAtOnce)
    await insertResources(db, { rows: rows.slice(first, first + resourcesAtOnce) });
}

const forgetResources = prepared((db, { exclusion_id }: Pick<ExcludedResourceTable, "exclusion_id">) =>
  db.deleteFrom("excluded_resource").where("exclusion_id", "=", exclusion_id),
);

/** Others may have learnt of the same exclusion since it was looked for. */
const insertResources = prepared((db, { rows }: { readonly rows: readonly ExcludedResourceTable[] }) =>
  db
    .insertInto("excluded_resource")
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .columns(["exclusion_id", "resource_key"])
        .doUpdateSet(({ ref }) => ({ expires_at: ref("excluded.expires_at") })),
    ),
);

/** For more recent news may be known already: an answer may arrive after that of a request sent later. */
const bodyHeld = prepared((db, { kind, id }: ThingKey) =>
  db
    .selectFrom("entity")
    .select("body_json")
    .where("kind", "=", kind)
    .where("id", "=", id)
    // Until the end of the transaction: nobody else may bring news in between.
    .$if(isPostgres(db), (query) => query.forUpdate()),
);

/** A stored body that cannot be read must not keep its successor out. */
function parsedOrEmpty(json: string): object {
  try {
    return facts.parse(JSON.parse(json));
  } catch {
    return {};
  }
}

/** NaN, which is neither before nor after anything, where it is not told. */
function modifiedAt(body: object): number {
  return Date.parse(facts.parse(body).lastModifiedDate ?? "");
}

/** What the config file says, in place of what it said before; what the service said itself stands, and what is gone stays gone. */
async function configure(db: Kysely<Database>, things: readonly NewEntity[]): Promise<void> {
  // Instances that start together do this one after the other, and whoever else writes here waits: rows taken in any order would let
  // two of them wait for each other. Readers wait for nobody.
  if (isPostgres(db)) await sql`lock table entity in exclusive mode`.execute(db);
  for (const kind of entityKinds) noteNames(db, kind);
  await db.deleteFrom("entity").where("from_config", "=", 1).execute();
  // The service never tells which project a credential belongs to: the config alone does.
  await db.updateTable("entity").set({ project_id: null }).where("kind", "=", "credential").execute();
  const rows = things.map(({ kind, id, body }) => ({
    ...{ kind, id, owner_id: null, ended_at: null, from_config: 1 },
    ...columnsOf(body),
  }));
  for (let first = 0; first < rows.length; first += rowsAtOnce)
    await nameUnnamed(db, rows.slice(first, first + rowsAtOnce));
  for (const { kind, id, project_id } of rows.filter((row) => row.kind === "credential"))
    await db.updateTable("entity").set({ project_id }).where("kind", "=", kind).where("id", "=", id).execute();
}

const rowsAtOnce = 500;
/** For each number of them there is a statement that is kept. */
const resourcesAtOnce = 20;

/** Adds what is new; a thing that was only mentioned so far has no name of its own, and gets one. */
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
  // No longer the config's alone: it must not come to life again when the config is read anew.
  const ended = { ended_at: at, from_config: 0 };
  noteNames(db, kind);
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
  const called = name ?? username ?? null;
  const expiresAt = expiryDate ? Date.parse(expiryDate) : Number.NaN;
  return {
    name: called,
    name_key: called?.toLowerCase() ?? null,
    email: emailAddress ?? null,
    email_key: emailAddress?.toLowerCase() ?? null,
    project_id: projectId ?? null,
    expires_at: Number.isNaN(expiresAt) ? null : expiresAt,
    body_json: JSON.stringify(body),
  };
}

function thingOf<K extends EntityKind>(kind: K, row: Selectable<EntityTable>): Entity<K> {
  return {
    kind,
    id: row.id,
    name: row.name,
    email: row.email,
    projectId: row.project_id,
    ownerId: row.owner_id,
    endedAt: row.ended_at,
    // The stored text is an answer that this very schema once read.
    body: entityBodies[kind].parse(JSON.parse(row.body_json)) as EntityBody<K>,
  };
}
