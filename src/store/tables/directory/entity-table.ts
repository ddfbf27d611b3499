import { type Kysely, type Selectable, sql } from "kysely";
import { byEnd, instant, stillHeld } from "../../../commands/exclusion/exclusion-body.ts";
import {
  type DirectoryStore,
  type Entity,
  type EntityBody,
  type EntityKind,
  entityKind,
  entityKinds,
  isOfKind,
  type NewEntity,
  type RemovedEntity,
} from "../../../directory/directory.ts";
import { createTextSearch, type TextSearch } from "../../../directory/text-search.ts";
import { ActionExclusion, resourceKeys } from "../../../service/resources.ts";
import { oncePer } from "../../../time/once-per.ts";
import {
  type Database,
  type Db,
  type EntityTable,
  excluded,
  isPostgres,
  isSameId,
  textsIn,
} from "../../db/database.ts";
import { searchedText } from "../../db/migrations.ts";
import { grouped, type OnUnreadable, readRows } from "../../db/read-rows.ts";
import { transact } from "../../db/transact.ts";
import { forget, knownOf, type Naming, recall } from "../../known.ts";
import { configureEntities } from "./configured-entities.ts";
import { columnsOf, entityOf, modifiedAt, parsedOrEmpty } from "./entity-row.ts";

export function createDirectoryStore(db: Db, now: () => number, onUnreadable: OnUnreadable): DirectoryStore {
  /** A row that is remembered is parsed once. */
  const parsed = oncePer(entityOf);
  const entitiesOf = <K extends EntityKind>(kind: K, rows: readonly Selectable<EntityTable>[]) =>
    readRows(`entity ${kind}`, rows, parsed, onUnreadable).filter((entity) => isOfKind(entity, kind));
  const namesOf = async (kind: EntityKind) => {
    const [search] = await recall(db, "names", [kind], () => readNames(db, kind).then((names) => () => names));
    return search;
  };
  const inMemory: NameSearch = async (kind, text, limit) => (await namesOf(kind))?.(text, limit) ?? [];
  /** All of a kind, while nothing of it was written. */
  const whole = new WeakMap<object, { readonly limit: number; readonly all: readonly Entity[] }>();
  const names = knownOf(db) ? inMemory : undefined;
  return {
    remember: (entities) => transact(db, (trx) => rememberEntities(trx, entities)),
    configure: (entities) => configureEntities(db, entities),
    get: async (kind, id) => {
      const [row] = await entityById(db, kind, id);
      const entity = row && parsed(row);
      return entity && isOfKind(entity, kind) ? entity : undefined;
    },
    match: async (kind, text) => {
      const [exact] = await entityById(db, kind, text.trim());
      if (exact?.ended_at === null) return entitiesOf(kind, [exact]);
      return entitiesOf(kind, await entitiesNamed(db, kind, text, now()));
    },
    search: async (kind, text, limit) => {
      const known = names && text === "" ? await namesOf(kind) : undefined;
      const kept = known && whole.get(known);
      if (kept?.limit === limit) return kept.all.filter((entity) => isOfKind(entity, kind));
      const rows = await searchEntities(db, { kind, text, limit }, now(), names);
      const all = entitiesOf(kind, rows);
      // What expires does so without being written.
      if (known && rows.every(({ expires_at }) => expires_at === null)) whole.set(known, { limit, all });
      return all;
    },
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
      const held = (all: readonly Row[]) =>
        entitiesOf("exclusion", all).map((each) => {
          const body = stillHeld(each.body, at);
          return body === each.body ? each : { ...each, body };
        });
      if (resourceIds === undefined) return held(await allLive(db, at));
      const named = (await exclusionsOf(db, at, resourceIds)).filter(({ until }) => until > at);
      const rows = (await exclusionRows(db, named)).filter(
        (row) => row.ended_at === null && (row.expires_at ?? 0) > at,
      );
      return held(rows.toSorted((one, other) => (one.expires_at ?? 0) - (other.expires_at ?? 0)));
    },
    exclusionsNaming: async (resourceIds) => {
      const named = await exclusionsOf(db, now(), resourceIds);
      const latest = named.filter(({ place }) => place <= maxPerResource);
      return entitiesOf("exclusion", await exclusionRows(db, latest));
    },
    exclusionsSince: async (at) => entitiesOf("exclusion", [...(await allLive(db, at)), ...(await allEnded(db, at))]),
  };
}

async function allLive(db: Db, at: number): Promise<readonly Row[]> {
  const [known] = await recall(db, "live", [""], async () => {
    const live = { at, rows: await readLive(db, at) };
    return () => live;
  });
  if (!known) return readLive(db, at);
  if (known.at > at) {
    // Kept for a later moment. What is live at an earlier one serves both.
    forget(db, "live");
    return allLive(db, at);
  }
  return known.at === at ? known.rows : known.rows.filter(({ expires_at }) => (expires_at ?? 0) > at);
}

const readLive = (db: Db, at: number) =>
  db
    .selectFrom("entity")
    .selectAll()
    .where("kind", "=", "exclusion")
    .where("ended_at", "is", null)
    .where("expires_at", ">", at)
    .orderBy("expires_at")
    .orderBy("id")
    .execute();

/** The exclusions that were ended after this moment. */
const allEnded = (db: Db, at: number) =>
  db
    .selectFrom("entity")
    .selectAll()
    .where("kind", "=", "exclusion")
    .where("ended_at", ">", at)
    .orderBy("id")
    .execute();

/** Of an entity, as the service compares ids: without regard to case. */
const entityKey = (kind: string, id: string): string => `${kind} ${id.toLowerCase()}`;

/** Once each, by id. */
async function exclusionRows(db: Db, named: readonly Naming[]): Promise<readonly Selectable<EntityTable>[]> {
  const ids = [...new Set(named.map(({ exclusionId }) => exclusionId))].sort();
  const rows = await entityRows(db, "exclusion", ids);
  return ids.flatMap((id, index) => rows[index]?.filter((row) => row.id === id) ?? []);
}

/** Those with this id, exactly this one first. */
async function entityById(db: Db, kind: EntityKind, id: string): Promise<readonly Selectable<EntityTable>[]> {
  const [rows = []] = await entityRows(db, kind, [id]);
  return rows.toSorted((one, other) => Number(other.id === id) - Number(one.id === id));
}

/** For each of these ids, those that the service takes for the same. */
function entityRows(db: Db, kind: EntityKind, ids: readonly string[]) {
  const keys = ids.map((id) => entityKey(kind, id));
  return recall(db, "entity", keys, async (unknown) => {
    const lowered = unknown.map((key) => key.slice(kind.length + 1));
    const rows = await db
      .selectFrom("entity")
      .selectAll()
      .where("kind", "=", kind)
      .where(sql`lower(id)`, "in", lowered)
      .execute();
    return grouped(rows, ({ id }) => entityKey(kind, id));
  });
}

/** Stores the entities of an answer and marks removed ones, in the caller's transaction. */
export async function rememberEntities(
  db: Kysely<Database>,
  entities: readonly (NewEntity | RemovedEntity)[],
): Promise<void> {
  // Sorted, so that two transactions never deadlock.
  const ordered = [...entities].sort((one, other) => compare(one.kind, other.kind) || compare(one.id, other.id));
  for (const entity of ordered) {
    if ("body" in entity) await remember(db, entity);
    else await endEntity(db, entity);
  }
}

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

async function remember(db: Kysely<Database>, { kind, id, body, ownerId, weak }: NewEntity): Promise<void> {
  const columns = columnsOf(body);
  const row = { kind, id, owner_id: ownerId ?? null, ended_at: null, from_config: 0, imported_json: null, ...columns };
  forgetEntity(db, kind, id);
  if (!weak) forget(db, "names", kind);
  if (await insertEntity(db, row)) {
    forget(db, "names", kind);
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
  for (const { resourceIds, expiryDate } of byEnd(ActionExclusion.parse(body)))
    await rememberResources(db, id, resourceIds ?? [], instant(expiryDate) ?? expires_at);
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

function forgetEntity(db: Kysely<Database>, kind: EntityKind, id: string): void {
  forget(db, "entity", entityKey(kind, id));
  if (kind === "exclusion") forget(db, "live");
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

async function endEntity(db: Kysely<Database>, { kind, id, at }: RemovedEntity): Promise<void> {
  // `from_config: 0`, so that reloading the config does not revive it.
  const ended = { ended_at: at, from_config: 0 };
  forget(db, "names", kind);
  forgetEntity(db, kind, id);
  await db.updateTable("entity").set(ended).where("kind", "=", kind).where("id", "=", id).execute();
}

/** Per resource, so that one resource's many exclusions never hide another's only one. */
const maxPerResource = 5;

/** The exclusions that name one of these resources now, or did when they were looked up, and the latest of the others. */
async function exclusionsOf(db: Db, at: number, resourceIds: readonly string[]): Promise<readonly Naming[]> {
  const keys = [...new Set(resourceIds.map((id) => id.toLowerCase()))];
  if (keys.length === 0) return [];
  const found: (readonly Naming[])[] = [];
  const size = knownOf(db) ? mostKeys : keys.length;
  for (let from = 0; from < keys.length; from += size) {
    const some = keys.slice(from, from + size);
    const read = () => readNaming(db, at, some).then((all) => () => all);
    // Of all machines of a company in several goes, between which other work may run.
    found.push(...(await recall(db, "naming", [some.join("\n")], read)));
  }
  return found.flat();
}

const mostKeys = 500;

function readNaming(db: Db, at: number, keys: readonly string[]) {
  const place = sql<number>`row_number() over (partition by resource_key order by expires_at desc, exclusion_id desc)`;
  const numbered = db
    .selectFrom("excluded_resource")
    .select(["exclusion_id as exclusionId", "expires_at as until", place.as("place")])
    .where("resource_key", "in", textsIn(db, keys));
  return db
    .selectFrom(numbered.as("numbered"))
    .selectAll()
    .where((row) => row.or([row("place", "<=", maxPerResource), row("until", ">", at)]))
    .orderBy("place")
    .execute();
}

async function rememberResources(
  db: Kysely<Database>,
  exclusion_id: string,
  resourceIds: readonly string[],
  expires_at: number,
): Promise<void> {
  forget(db, "naming");
  const keys = new Set(resourceIds.flatMap((id) => resourceKeys(id)));
  const rows = [...keys].map((resource_key) => ({ exclusion_id, resource_key, expires_at }));
  for (let from = 0; from < rows.length; from += resourceBatchSize)
    await db
      .insertInto("excluded_resource")
      .values(rows.slice(from, from + resourceBatchSize))
      // A concurrent transaction may have stored the same exclusion.
      .onConflict((conflict) =>
        conflict.columns(["exclusion_id", "resource_key"]).doUpdateSet(excluded<"excluded_resource">("expires_at")),
      )
      .execute();
}

const resourceBatchSize = 100;

/** A resource that an edit left out is kept as ended, so that its history shows the exclusion. */
async function forgetResources(db: Kysely<Database>, exclusionId: string): Promise<void> {
  forget(db, "naming");
  await db.updateTable("excluded_resource").set({ expires_at: 0 }).where("exclusion_id", "=", exclusionId).execute();
}

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

type Machines = readonly EntityBody<"machine">[];

export function createMachineList(db: Db, onUnreadable: OnUnreadable) {
  let read: { readonly after: number; readonly machines: Machines } | undefined;
  return {
    /** All imported machines: the same list as before, unless there was an import since. */
    machines: async (): Promise<Machines> => {
      const [after = 0] = await recall(db, "imports", ["last"], async () => {
        const last = await lastImport(db);
        return () => last;
      });
      if (read?.after !== after) read = { after, machines: await readMachines(db, onUnreadable) };
      return read.machines;
    },
  };
}

/** The place in the history of the last import's beginning or end. */
async function lastImport(db: Db): Promise<number> {
  const last = await db
    .selectFrom("transition")
    .select("sequence")
    .where("change_id", "is", null)
    .where("state", "=", "imported")
    .orderBy("sequence", "desc")
    .limit(1)
    .executeTakeFirst();
  return last?.sequence ?? 0;
}

async function readMachines(db: Db, onUnreadable: OnUnreadable): Promise<Machines> {
  const { schema } = entityKind("machine");
  const rows = await db
    .selectFrom("entity")
    .select(["id", "body_json"])
    .where("kind", "=", "machine")
    .orderBy("id")
    .execute();
  return readRows("entity machine", rows, ({ body_json }) => schema.parse(JSON.parse(body_json)), onUnreadable);
}
