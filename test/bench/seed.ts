import type { DatabaseSyncInstance } from "@photostructure/sqlite";
import type { ChangeTable } from "../../src/store/db/database.ts";
import { sqliteOfThisNode } from "../../src/store/db/sqlite/open-sqlite.ts";
import { linkAfter } from "../../src/store/history/history-chain.ts";
import { outcomeFacts, recordedFacts } from "../../src/store/history/history-facts.ts";
import { openStore } from "../../src/store/open-store.ts";
import { userIds } from "./workspace-facts.ts";

export interface Pile {
  readonly changes: number;
  readonly exclusions: number;
  readonly directory: number;
  /** The number of exclusions in force. The others have ended. */
  readonly inForce: number;
  /** The people who made the changes. */
  readonly people: number;
}

const hourMs = 3_600_000;
type Row = Readonly<Record<string, string | number | null>>;

/** Fills a new database as Curfew would over the years: with a chained history and every card posted. */
export async function seed(file: string, pile: Pile, now = Date.now()): Promise<void> {
  const store = await openStore(file);
  await store.close();
  const database = new (await sqliteOfThisNode())(file);
  database.exec("pragma synchronous = off; pragma cache_size = -200000; pragma temp_store = memory; begin");
  const makeIndexes = dropIndexes(database);
  const insert = inserter(database);
  let hash = String(database.prepare("select hash from history_head").get()?.hash);
  for (let index = 0; index < pile.changes; index++) {
    const row = changeRow(index, pile, now);
    const outcome = { change: row, at: row.settled_at ?? now };
    insert("change", { ...row });
    const recorded = {
      changeId: row.id,
      state: "performing",
      at: row.requested_at,
      facts: { change: recordedFacts(row) },
    };
    const settled = { changeId: row.id, state: row.state, at: outcome.at, facts: { outcome: outcomeFacts(row) } };
    for (const transition of [recorded, settled]) {
      const link = linkAfter(hash, transition);
      hash = link.hash;
      insert("transition", { ...link });
    }
    insert("outbox", cardRow(row, index));
  }
  for (let index = 0; index < pile.exclusions; index++) addExclusion(insert, index, pile, now);
  for (let index = 0; index < pile.directory; index++) insert("entity", directoryRow(index));
  database.prepare("update history_head set length = length + ?, hash = ?").run(2 * pile.changes, hash);
  makeIndexes();
  database.exec("commit");
  database.close();
}

function inserter(database: DatabaseSyncInstance): (table: string, row: Row) => void {
  const statements = new Map<string, ReturnType<DatabaseSyncInstance["prepare"]>>();
  const prepare = (table: string, columns: readonly string[]) => {
    const places = columns.map(() => "?").join();
    const statement = database.prepare(`insert into "${table}" (${columns.join()}) values (${places})`);
    statements.set(table, statement);
    return statement;
  };
  return (table, row) => {
    const statement = statements.get(table) ?? prepare(table, Object.keys(row));
    statement.run(...Object.values(row));
  };
}

/** Drops the indexes, because building them after all inserts is several times faster. Returns a function that rebuilds them. */
function dropIndexes(database: DatabaseSyncInstance): () => void {
  const indexes = database
    .prepare("select name, sql from sqlite_master where type = 'index' and sql is not null")
    .all();
  for (const { name } of indexes) database.exec(`drop index "${name}"`);
  return () => {
    for (const { sql } of indexes) database.exec(String(sql));
  };
}

function changeRow(index: number, { changes, exclusions, people }: Pile, now: number): ChangeTable {
  const requestedAt = now - (changes - index) * 60_000 - 15 * 24 * hourMs;
  // All changes of one exclusion happen within days.
  const exclusionId = `ex-${Math.floor((index * exclusions) / changes)}`;
  const body = bodyOf(exclusionId, [`i-${index % 5000}`], requestedAt + hourMs, requestedAt);
  return {
    id: `chg-${index.toString(36).padStart(9, "0")}`,
    idempotency_key: `command:${String(index).padStart(9, "0")}.seed`,
    words: "exclusion create",
    operation: "CreateActionExclusion",
    state: "succeeded",
    input_json: JSON.stringify({ resourceIds: body.resourceIds, project: "p-dev", process: "stop" }),
    request_json: JSON.stringify(body),
    before_json: null,
    answer_json: JSON.stringify(body),
    subject_kind: "exclusion",
    subject_id: exclusionId,
    actor_team: "T0BENCH",
    actor_id: userIds[index % people] ?? "",
    actor_name: "alice",
    actor_zone: "Europe/Berlin",
    channel_id: "C0OPS",
    reason: null,
    undoes: null,
    role: "engineer",
    rule: "permissions.roles.engineer.allow",
    error_code: null,
    error_message: null,
    note: null,
    verified_json: null,
    requested_at: requestedAt,
    settled_at: requestedAt + 200,
    approval_json: null,
    performer: "seed",
    once_key: null,
    parent_id: null,
    execution_id: null,
    asked_in_json: null,
  };
}

function cardRow({ id, settled_at }: ChangeTable, index: number): Row {
  const at = settled_at ?? 0;
  return {
    change_id: id,
    kind: "card",
    recipient: "C0OPS",
    state: "sent",
    attempts: 1,
    due_at: at,
    queued_at: at,
    sent_at: at,
    posted_channel: "C0OPS",
    posted_ts: `${index}.000001`,
  };
}

function addExclusion(insert: ReturnType<typeof inserter>, index: number, { inForce }: Pile, now: number): void {
  const isLive = index < inForce;
  const expiresAt = isLive ? now + (24 + index) * hourMs : now - (index + 1) * 60_000;
  const id = isLive ? `live-${index}` : `ex-${index}`;
  const resource = isLive ? `i-11ve${index}` : `i-${index % 5000}`;
  const body = bodyOf(id, [resource], expiresAt, now - 30 * 24 * hourMs);
  insert("entity", entityRow("exclusion", id, body.name, expiresAt, body));
  insert("excluded_resource", { exclusion_id: id, resource_key: resource, expires_at: expiresAt });
}

function directoryRow(index: number): Row {
  const [kind, idName] = index % 2 === 0 ? (["user", "userId"] as const) : (["project", "projectId"] as const);
  const id = `${kind}-${index}`;
  return entityRow(kind, id, `${kind} number ${index}`, null, { [idName]: id, name: `${kind} number ${index}` });
}

function entityRow(kind: string, id: string, name: string, expiresAt: number | null, body: object): Row {
  return {
    kind,
    id,
    name,
    name_key: name.toLowerCase(),
    email: null,
    email_key: null,
    project_id: kind === "exclusion" ? "p-dev" : null,
    owner_id: kind === "exclusion" ? (userIds[0] ?? null) : null,
    expires_at: expiresAt,
    ended_at: null,
    from_config: 0,
    body_json: JSON.stringify(body),
  };
}

function bodyOf(id: string, resourceIds: readonly string[], expiresAt: number, modifiedAt: number) {
  return {
    actionExclusionId: id,
    projectId: "p-dev",
    name: `Exclusion ${id}`,
    isEnabled: true,
    expiryDate: new Date(expiresAt).toISOString(),
    lastModifiedDate: new Date(modifiedAt).toISOString(),
    resourceType: "amazon-ec2-instance",
    resourceIdentificationMethod: "by-resource-id",
    resourceIds: [...resourceIds],
    processes: ["stop-resource"],
  };
}
