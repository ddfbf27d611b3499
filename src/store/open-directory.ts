import type { Kysely, Selectable } from "kysely";
import { type Entity, type EntityKind, isOfKind, type NewEntity } from "../directory/directory.ts";
import { type Database, type Db, type EntityTable, excluded, isPostgres } from "./db/database.ts";
import { openExisting } from "./db/open-database.ts";
import { readRows } from "./db/read-rows.ts";
import { createAuditStore } from "./history/transition-table.ts";
import { batchesOf, lockOutWriters, projectImported, storedAmong } from "./tables/directory/configured-entities.ts";
import { columnsOf, entityOf } from "./tables/directory/entity-row.ts";

export type OpenDirectory = Awaited<ReturnType<typeof openDirectory>>;

/** Opens the directory for operators, also beside a running Curfew. Refuses a database with another version's schema. */
export async function openDirectory(database: string) {
  const db = await openExisting(database, "write");
  return {
    /** Stores what a file says, and forgets these machines; gives what it did with each entity, a few at a time. */
    add: (entities: readonly NewEntity[], gone: readonly string[] = []) => importEntities(db, entities, gone),
    /** Those of a kind that were not removed, by id, read lazily. */
    entries: <K extends EntityKind>(kind: K) => entriesOf(db, kind),
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
    const entities = readRows(`entity ${kind}`, rows, entityOf, () => undefined);
    yield* entities.filter((entity) => isOfKind(entity, kind));
    const last = rows.at(-1);
    if (last === undefined || rows.length < pageSize) return;
    after = last.id;
  }
}

/**
 * What an import did with an entity. `configured`: the config file names it, and counts while it does. `removed`: it was deleted in the
 * service through Curfew, and stays so.
 */
export type ImportEffect = "added" | "changed" | "unchanged" | "configured" | "removed";

export interface Imported {
  readonly kind: EntityKind;
  readonly id: string;
  readonly name: string | null;
  readonly effect: ImportEffect;
}

/**
 * Stores imported entities, a few in each transaction, so that people's requests go between them. An import says what is known now, so
 * it goes before earlier answers of the service, and later answers go before it: what it said before is not said again.
 */
async function* importEntities(
  db: Db,
  entities: readonly NewEntity[],
  gone: readonly string[],
): AsyncGenerator<readonly Imported[]> {
  const note = () =>
    createAuditStore(db).appendEvent("imported", Date.now(), { actor: "operator:import", count: entities.length });
  await note();
  for (const batch of batchesOf(entities)) yield await db.transaction().execute((trx) => importBatch(trx, batch));
  await forgetMachines(db, gone);
  // A running Curfew reads all machines again after each note.
  if (entities.some(({ kind }) => kind === "machine")) await note();
}

async function forgetMachines(db: Db, ids: readonly string[]): Promise<void> {
  for (let from = 0; from < ids.length; from += pageSize)
    await db
      .deleteFrom("entity")
      .where("kind", "=", "machine")
      .where("id", "in", ids.slice(from, from + pageSize))
      .execute();
}

async function importBatch(trx: Kysely<Database>, batch: readonly NewEntity[]): Promise<readonly Imported[]> {
  if (isPostgres(trx)) await lockOutWriters(trx);
  const stored = await storedAmong(trx, batch);
  const steps = batch.map((entity) => ({ entity, ...stepFor(entity, stored.get(entity.id)) }));
  const rows = steps.flatMap(({ row }) => row ?? []);
  if (rows.length > 0)
    await trx
      .insertInto("entity")
      .values(rows)
      .onConflict((conflict) =>
        conflict
          .columns(["kind", "id"])
          .doUpdateSet(
            excluded<"entity">(
              ...(["name", "name_key", "email", "email_key", "project_id", "body_json"] as const),
              ...(["from_config", "imported_json"] as const),
            ),
          ),
      )
      .execute();
  return steps.map(({ entity: { kind, id, body }, effect }) => ({ kind, id, name: columnsOf(body).name, effect }));
}

interface Step {
  readonly effect: ImportEffect;
  /** Undefined when there is nothing to write. */
  readonly row?: EntityTable;
}

function stepFor({ kind, id, body }: NewEntity, known: Selectable<EntityTable> | undefined): Step {
  const imported_json = JSON.stringify(body);
  const rowOf = (from_config: number, content: object): EntityTable => ({
    ...{ kind, id, owner_id: null, ended_at: null, from_config, imported_json },
    ...columnsOf(content),
  });
  if (known === undefined) return { effect: "added", row: rowOf(2, body) };
  if (known.ended_at !== null) return { effect: "removed" };
  const isNews = known.imported_json !== imported_json;
  if (known.from_config === 1)
    return { effect: "configured", ...(isNews ? { row: rowOf(1, JSON.parse(known.body_json)) } : {}) };
  if (!isNews) return { effect: "unchanged" };
  const said: object = JSON.parse(imported_json);
  const merged = known.from_config === 2 ? said : { ...JSON.parse(known.body_json), ...said };
  // What was only mentioned by its id is the import's from now on.
  const row = rowOf(known.from_config === 0 && known.name !== null ? 0 : 2, merged);
  const project_id = projectOf(kind, known, row.project_id);
  const isSame = row.body_json === known.body_json && project_id === known.project_id;
  return { effect: isSame ? "unchanged" : "changed", row: { ...row, project_id } };
}

/** The service never says a credential's project. So one that no import said comes from the config, and counts. */
function projectOf(kind: EntityKind, known: Selectable<EntityTable>, imported: string | null): string | null {
  const isConfigured =
    kind === "credential" && known.project_id !== null && known.project_id !== projectImported(known.imported_json);
  return isConfigured ? known.project_id : (imported ?? (known.from_config === 2 ? null : known.project_id));
}
