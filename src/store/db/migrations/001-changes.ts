import { type Kysely, type SchemaModule, sql } from "kysely";
import { beginning } from "../../history/history-chain.ts";
import type { Database } from "../database.ts";
import { numbered } from "./numbered.ts";

/** Changes, the approvers' decisions, and the history, of which each row is chained to the one before it. */
export async function changes(db: Kysely<Database>): Promise<void> {
  await createChange(db.schema);
  await createDecision(db.schema);
  await createTransition(db);
  await createHistoryHead(db);
}

async function createChange(schema: SchemaModule): Promise<void> {
  await schema
    .createTable("change")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("idempotency_key", "text", (column) => column.notNull().unique())
    .addColumn("words", "text", (column) => column.notNull())
    .addColumn("operation", "text", (column) => column.notNull())
    .addColumn("state", "text", (column) => column.notNull())
    .addColumn("input_json", "text", (column) => column.notNull())
    .addColumn("request_json", "text", (column) => column.notNull())
    .addColumn("before_json", "text")
    .addColumn("answer_json", "text")
    .addColumn("subject_kind", "text", (column) => column.notNull())
    .addColumn("subject_id", "text")
    .addColumn("actor_team", "text", (column) => column.notNull())
    .addColumn("actor_id", "text", (column) => column.notNull())
    .addColumn("actor_name", "text", (column) => column.notNull())
    .addColumn("actor_zone", "text", (column) => column.notNull())
    .addColumn("channel_id", "text")
    .addColumn("reason", "text")
    .addColumn("undoes", "text")
    .addColumn("role", "text", (column) => column.notNull())
    .addColumn("rule", "text", (column) => column.notNull())
    .addColumn("approval_json", "text")
    .addColumn("performer", "text")
    .addColumn("error_code", "text")
    .addColumn("error_message", "text")
    .addColumn("note", "text")
    .addColumn("requested_at", "bigint", (column) => column.notNull())
    .addColumn("settled_at", "bigint")
    .execute();
  await schema.createIndex("change_by_state").on("change").columns(["state", "requested_at"]).execute();
  await schema.createIndex("change_by_time").on("change").columns(["requested_at", "id"]).execute();
  await schema.createIndex("change_by_actor").on("change").columns(["actor_id", "requested_at"]).execute();
  await schema
    .createIndex("change_by_subject")
    .on("change")
    .columns(["subject_kind", "subject_id", "settled_at"])
    .execute();
}

async function createDecision(schema: SchemaModule): Promise<void> {
  await schema
    .createTable("decision")
    .addColumn("change_id", "text", (column) => column.notNull().references("change.id"))
    .addColumn("approver_id", "text", (column) => column.notNull())
    .addColumn("approver_name", "text", (column) => column.notNull())
    .addColumn("verdict", "text", (column) => column.notNull())
    .addColumn("note", "text")
    .addColumn("at", "bigint", (column) => column.notNull())
    .addPrimaryKeyConstraint("decision_key", ["change_id", "approver_id"])
    .execute();
}

async function createTransition(db: Kysely<Database>): Promise<void> {
  const { schema } = db;
  await schema
    .createTable("transition")
    .addColumn("sequence", ...numbered(db))
    .addColumn("change_id", "text", (column) => column.notNull().references("change.id"))
    .addColumn("state", "text", (column) => column.notNull())
    .addColumn("at", "bigint", (column) => column.notNull())
    .addColumn("content_json", "text", (column) => column.notNull())
    .addColumn("previous_hash", "text", (column) => column.notNull())
    .addColumn("hash", "text", (column) => column.notNull())
    .execute();
  await schema.createIndex("transition_by_hash").on("transition").column("hash").execute();
  await schema.createIndex("transition_by_change").on("transition").columns(["change_id", "sequence"]).execute();
}

async function createHistoryHead(db: Kysely<Database>): Promise<void> {
  await db.schema
    .createTable("history_head")
    .addColumn("id", "integer", (column) => column.primaryKey())
    .addColumn("length", "bigint", (column) => column.notNull())
    .addColumn("hash", "text", (column) => column.notNull())
    .addCheckConstraint("history_head_is_one", sql`id = 1`)
    .execute();
  await db.insertInto("history_head").values({ id: 1, length: 0, hash: beginning }).execute();
}
