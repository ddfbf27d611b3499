import { setImmediate } from "node:timers/promises";
import { type Kysely, type Selectable, sql } from "kysely";
import { type EntityKind, entityKinds, type NewEntity } from "../../../directory/directory.ts";
import { type Database, type Db, type EntityTable, excluded, isPostgres } from "../../db/database.ts";
import { forget } from "../../known.ts";
import { columnsOf } from "./entity-row.ts";

/**
 * Replaces the config file's entities. Keeps what the service said; removed entities stay removed. Writes only what differs, a few
 * at a time: there may be tens of thousands. On SQLite each few are a transaction, so that people's requests go between them.
 */
export async function configureEntities(db: Db, entities: Iterable<NewEntity>): Promise<void> {
  try {
    if (!isPostgres(db)) return await configure(db, entities);
    await db.transaction().execute(async (trx) => {
      await lockOutWriters(trx);
      await configure(trx, entities);
    });
  } finally {
    forget(db, "names");
    forget(db, "entity");
  }
}

/** PostgreSQL: rows taken in any order would deadlock when instances start together. Readers don't wait. */
export async function lockOutWriters(trx: Kysely<Database>): Promise<void> {
  await sql`lock table entity in exclusive mode`.execute(trx);
}

type Row = EntityTable & { readonly kind: EntityKind };

async function configure(db: Kysely<Database>, entities: Iterable<NewEntity>): Promise<void> {
  const configured = new Map(entityKinds.map((kind) => [kind, new Set<string>()]));
  const projects = new Map<string, string | null>();
  for (const batch of batchesOf(entities)) {
    await setImmediate();
    const rows = batch.map(({ kind, id, body }) => ({
      ...{ kind, id, owner_id: null, ended_at: null, from_config: 1, imported_json: null },
      ...columnsOf(body),
    }));
    for (const { kind, id, project_id } of rows) {
      configured.get(kind)?.add(id);
      if (kind === "credential") projects.set(id, project_id);
    }
    const news = await differing(db, rows);
    if (news.length > 0) await insertConfigured(db, news);
  }
  await removeOthers(db, configured);
  await setProjects(db, projects);
}

/** Each batch length is one prepared statement. */
const batchSize = 100;

/** A few of one kind each. */
export function* batchesOf(entities: Iterable<NewEntity>): Generator<readonly NewEntity[]> {
  const waiting = new Map<EntityKind, NewEntity[]>();
  for (const entity of entities) {
    const batch = waiting.get(entity.kind) ?? [];
    batch.push(entity);
    waiting.set(entity.kind, batch);
    if (batch.length < batchSize) continue;
    yield batch;
    waiting.delete(entity.kind);
  }
  yield* waiting.values();
}

/** Without the rows that the table has already, and those that the service named. */
async function differing(db: Kysely<Database>, rows: readonly Row[]): Promise<readonly Row[]> {
  const stored = await storedAmong(db, rows);
  return rows.filter((row) => {
    const known = stored.get(row.id);
    if (known === undefined || known.from_config === 2) return true;
    return known.from_config === 1 ? known.body_json !== row.body_json : known.name === null && known.ended_at === null;
  });
}

/** The stored rows with the ids of these, which are of one kind and few. */
export async function storedAmong(
  db: Kysely<Database>,
  wanted: readonly { readonly kind: EntityKind; readonly id: string }[],
): Promise<ReadonlyMap<string, Selectable<EntityTable>>> {
  const ids = wanted.map(({ id }) => id);
  const stored = ofKind(db, wanted[0]?.kind ?? "").selectAll();
  return new Map((await stored.where("id", "in", ids).execute()).map((row) => [row.id, row]));
}

const ofKind = (db: Kysely<Database>, kind: string) => db.selectFrom("entity").where("kind", "=", kind);

/** Inserts new entities, replaces those of the former config and of imports, and names those that were only mentioned so far. */
const insertConfigured = (db: Kysely<Database>, rows: readonly EntityTable[]) =>
  db
    .insertInto("entity")
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .columns(["kind", "id"])
        .doUpdateSet({
          ...excluded<"entity">("name", "name_key", "email", "email_key", "project_id", "expires_at", "body_json"),
          from_config: 1,
        })
        .where((column) =>
          column.or([
            column("entity.from_config", "in", [1, 2]),
            column.and([column("entity.name", "is", null), column("entity.ended_at", "is", null)]),
          ]),
        ),
    )
    .execute();

/** Removes what the config no longer names. What an import said of it counts again. */
async function removeOthers(
  db: Kysely<Database>,
  configured: ReadonlyMap<EntityKind, ReadonlySet<string>>,
): Promise<void> {
  for (const [kind, kept] of configured) {
    await setImmediate();
    const rows = await ofKind(db, kind).select(["id", "imported_json"]).where("from_config", "=", 1).execute();
    const dropped = rows.filter(({ id }) => !kept.has(id));
    for (const { id, imported_json } of dropped)
      if (imported_json !== null)
        await db
          .updateTable("entity")
          .set({ from_config: 2, ...columnsOf(JSON.parse(imported_json)) })
          .where("kind", "=", kind)
          .where("id", "=", id)
          .execute();
    const gone = dropped.flatMap(({ id, imported_json }) => (imported_json === null ? [id] : []));
    for (let from = 0; from < gone.length; from += batchSize)
      await db
        .deleteFrom("entity")
        .where("kind", "=", kind)
        .where("id", "in", gone.slice(from, from + batchSize))
        .where("from_config", "=", 1)
        .execute();
  }
}

/** Only the config, and otherwise an import, says which project a credential belongs to. */
async function setProjects(db: Kysely<Database>, projects: ReadonlyMap<string, string | null>): Promise<void> {
  const kind = "credential";
  const rows = await ofKind(db, kind).select(["id", "project_id", "imported_json"]).execute();
  for (const { id, project_id: former, imported_json } of rows) {
    const project_id = projects.get(id) ?? projectImported(imported_json);
    if (project_id !== former)
      await db.updateTable("entity").set({ project_id }).where("kind", "=", kind).where("id", "=", id).execute();
  }
}

export function projectImported(json: string | null): string | null {
  return json === null ? null : columnsOf(JSON.parse(json)).project_id;
}
