import { type ExpressionBuilder, type Kysely, type RawBuilder, type Selectable, sql } from "kysely";
import { z } from "zod";
import type { Forgotten, KnownStore, Learned } from "../changes/ports.ts";
import type { KnownKind } from "../commands/field.ts";
import { type KnownBody, type KnownThing, knownBodies } from "../commands/known.ts";
import { type Database, type Db, isPostgres, type KnownTable } from "./database.ts";
import { type OnUnreadable, readRows } from "./read-rows.ts";

export function createKnownStore(db: Db, now: () => number, onUnreadable: OnUnreadable): KnownStore {
  const thingsOf = <K extends KnownKind>(kind: K, rows: readonly Selectable<KnownTable>[]) =>
    readRows(`known ${kind}`, rows, (row) => thingOf(kind, row), onUnreadable);
  return {
    remember: (things) => db.transaction().execute((trx) => rememberThings(trx, things)),
    configure: (things) => db.transaction().execute((trx) => configure(trx, things)),
    get: async (kind, id) => {
      const row = await db
        .selectFrom("known")
        .selectAll()
        .where("kind", "=", kind)
        .where("id", "=", id)
        .executeTakeFirst();
      return row && thingOf(kind, row);
    },
    match: async (kind, text) => {
      const key = text.trim().toLowerCase();
      const rows = await db
        .selectFrom("known")
        .selectAll()
        .where("kind", "=", kind)
        .where("ended_at", "is", null)
        .where((column) => column.or([column("id", "=", text.trim()), isCalled(column, key, now())]))
        .orderBy("id")
        .limit(20)
        .execute();
      const exact = rows.find((row) => row.id === text.trim());
      return thingsOf(kind, exact ? [exact] : rows);
    },
    search: async (kind, text, limit) => {
      const pattern = `%${text
        .trim()
        .toLowerCase()
        .replace(/[\\%_]/g, "\\$&")}%`;
      const contains = (text: RawBuilder<unknown>) => sql<boolean>`${text} like ${pattern} escape '\\'`;
      const rows = await db
        .selectFrom("known")
        .selectAll()
        .where("kind", "=", kind)
        .where("ended_at", "is", null)
        .where((column) => isUnexpired(column, now()))
        .where((column) => column.or([sql`lower(id)`, sql`name_key`, sql`email_key`].map(contains)))
        .orderBy((column) => column.fn.coalesce("name_key", "id"))
        .orderBy("id")
        .limit(limit)
        .execute();
      return thingsOf(kind, rows);
    },
    liveExclusions: async (at) => {
      const rows = await db
        .selectFrom("known")
        .selectAll()
        .where("kind", "=", "exclusion")
        .where("ended_at", "is", null)
        .where("expires_at", ">", at)
        .orderBy("expires_at")
        .execute();
      return thingsOf("exclusion", rows);
    },
  };
}

/** An expired thing is still found by its id, but no longer by its name: that may be another's by then. */
function isCalled(column: ExpressionBuilder<Database, "known">, key: string, now: number) {
  const named = column.or([column("name_key", "=", key), column("email_key", "=", key)]);
  return column.and([named, isUnexpired(column, now)]);
}

function isUnexpired(column: ExpressionBuilder<Database, "known">, now: number) {
  return column.or([column("expires_at", "is", null), column("expires_at", ">", now)]);
}

/** Keeps what was learnt and marks what is gone, within the caller's transaction. */
export async function rememberThings(db: Kysely<Database>, things: readonly (Learned | Forgotten)[]): Promise<void> {
  // Always in the same order, so that two who remember the same things never wait for each other.
  const ordered = [...things].sort((one, other) => compare(one.kind, other.kind) || compare(one.id, other.id));
  for (const thing of ordered) {
    if ("body" in thing) await remember(db, thing);
    else await forget(db, thing);
  }
}

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

async function remember(db: Kysely<Database>, { kind, id, body, ownerId, weak }: Learned): Promise<void> {
  const { owner_id, project_id, ...told } = { owner_id: ownerId ?? null, ...columnsOf(body) };
  // What an answer does not tell of these stays known: where a thing belongs, and who made it.
  const lasting = { ...(ownerId ? { owner_id } : {}), ...(project_id === null ? {} : { project_id }) };
  const news = (await isOutdated(db, kind, id, body)) ? {} : { ...told, ended_at: null };
  await db
    .insertInto("known")
    .values({ kind, id, owner_id, project_id, ended_at: null, from_config: 0, ...told })
    .onConflict((conflict) => {
      const known = conflict.columns(["kind", "id"]);
      return weak ? known.doNothing() : known.doUpdateSet({ ...news, ...lasting, from_config: 0 });
    })
    .execute();
}

/** Whether more recent news is known already: an answer may arrive after that of a request sent later. */
async function isOutdated(db: Kysely<Database>, kind: string, id: string, body: object): Promise<boolean> {
  const row = await db
    .selectFrom("known")
    .select("body_json")
    .where("kind", "=", kind)
    .where("id", "=", id)
    // Until the end of the transaction: nobody else may bring news in between.
    .$if(isPostgres(db), (query) => query.forUpdate())
    .executeTakeFirst();
  return row !== undefined && modifiedAt(body) < modifiedAt(parsedOrEmpty(row.body_json));
}

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
async function configure(db: Kysely<Database>, things: readonly Learned[]): Promise<void> {
  // Machines that start together do this one after the other, and whoever else writes here waits: rows taken in any order would let
  // two of them wait for each other. Readers wait for nobody.
  if (isPostgres(db)) await sql`lock table known in exclusive mode`.execute(db);
  await db.deleteFrom("known").where("from_config", "=", 1).execute();
  // The service never tells which project a credential belongs to: the config alone does.
  await db.updateTable("known").set({ project_id: null }).where("kind", "=", "credential").execute();
  const rows = things.map(({ kind, id, body }) => ({
    ...{ kind, id, owner_id: null, ended_at: null, from_config: 1 },
    ...columnsOf(body),
  }));
  for (let first = 0; first < rows.length; first += rowsAtOnce)
    await nameUnnamed(db, rows.slice(first, first + rowsAtOnce));
  for (const { kind, id, project_id } of rows.filter((row) => row.kind === "credential"))
    await db.updateTable("known").set({ project_id }).where("kind", "=", kind).where("id", "=", id).execute();
}

const rowsAtOnce = 500;

/** Adds what is new; a thing that was only mentioned so far has no name of its own, and gets one. */
async function nameUnnamed(db: Kysely<Database>, rows: readonly KnownTable[]): Promise<void> {
  await db
    .insertInto("known")
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
        .where("known.name", "is", null)
        .where("known.ended_at", "is", null),
    )
    .execute();
}

async function forget(db: Kysely<Database>, { kind, id, at }: Forgotten): Promise<void> {
  // No longer the config's alone: it must not come to life again when the config is read anew.
  const ended = { ended_at: at, from_config: 0 };
  await db.updateTable("known").set(ended).where("kind", "=", kind).where("id", "=", id).execute();
}

const facts = z.looseObject({
  name: z.string().nullish().catch(null),
  username: z.string().nullish().catch(null),
  emailAddress: z.string().nullish().catch(null),
  projectId: z.string().nullish().catch(null),
  expiryDate: z.string().nullish().catch(null),
  lastModifiedDate: z.string().nullish().catch(null),
});

function columnsOf(body: KnownBody<KnownKind>) {
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

function thingOf<K extends KnownKind>(kind: K, row: Selectable<KnownTable>): KnownThing<K> {
  return {
    kind,
    id: row.id,
    name: row.name,
    email: row.email,
    projectId: row.project_id,
    ownerId: row.owner_id,
    endedAt: row.ended_at,
    // The stored text is an answer that this very schema once read.
    body: knownBodies[kind].parse(JSON.parse(row.body_json)) as KnownBody<K>,
  };
}
