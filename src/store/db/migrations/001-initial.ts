import { type Kysely, type SchemaModule, sql } from "kysely";
import { beginning } from "../../history/history-chain.ts";
import { autoIncrementKey } from "../auto-increment-key.ts";
import type { Database } from "../database.ts";

/** Every table. Partial indexes hold only the rows that queries look up, so they stay small as the history grows. */
export async function initial(db: Kysely<Database>): Promise<void> {
  await createChange(db.schema);
  await createDecision(db.schema);
  await createTransition(db);
  await createHistoryHead(db);
  await createEntity(db.schema);
  await createExcludedResource(db.schema);
  await createOutbox(db);
  await createJob(db);
  await createInstanceAndLock(db.schema);
  await createResourceGroup(db.schema);
  await createConfigRequest(db.schema);
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
    .addColumn("once_key", "text")
    .addColumn("error_code", "text")
    .addColumn("error_message", "text")
    .addColumn("note", "text")
    .addColumn("requested_at", "bigint", (column) => column.notNull())
    .addColumn("settled_at", "bigint")
    .execute();
  await schema
    .createIndex("change_open")
    .on("change")
    .columns(["state", "requested_at"])
    .where(sql`settled_at`, "is", null)
    .execute();
  await schema
    .createIndex("change_once")
    .unique()
    .on("change")
    .column("once_key")
    .where(sql`once_key`, "is not", null)
    .execute();
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
    .addColumn("sequence", ...autoIncrementKey(db))
    .addColumn("change_id", "text", (column) => column.notNull().references("change.id"))
    .addColumn("state", "text", (column) => column.notNull())
    .addColumn("at", "bigint", (column) => column.notNull())
    .addColumn("content_json", "text", (column) => column.notNull())
    .addColumn("previous_hash", "text", (column) => column.notNull())
    .addColumn("hash", "text", (column) => column.notNull())
    .execute();
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

/** An entity's id, name and e-mail address in one text: one scan instead of three. */
export const searchedText = sql`(lower(id) || '\n' || coalesce(name_key, '') || '\n' || coalesce(email_key, ''))`;

async function createEntity(schema: SchemaModule): Promise<void> {
  await schema
    .createTable("entity")
    .addColumn("kind", "text", (column) => column.notNull())
    .addColumn("id", "text", (column) => column.notNull())
    .addColumn("name", "text")
    .addColumn("name_key", "text")
    .addColumn("email", "text")
    .addColumn("email_key", "text")
    .addColumn("project_id", "text")
    .addColumn("owner_id", "text")
    .addColumn("expires_at", "bigint")
    .addColumn("ended_at", "bigint")
    .addColumn("from_config", "integer", (column) => column.notNull())
    .addColumn("body_json", "text", (column) => column.notNull())
    .addPrimaryKeyConstraint("entity_key", ["kind", "id"])
    .execute();
  await schema.createIndex("entity_by_name").on("entity").columns(["kind", "name_key"]).execute();
  await schema
    .createIndex("entity_by_email")
    .on("entity")
    .columns(["kind", "email_key"])
    .where(sql`email_key`, "is not", null)
    .execute();
  await schema.createIndex("entity_by_end").on("entity").columns(["kind", "ended_at", "expires_at"]).execute();
  await schema
    .createIndex("entity_by_search")
    .on("entity")
    .column("kind")
    .expression(sql`coalesce(name_key, id)`)
    .column("id")
    .expression(searchedText)
    .where(sql`ended_at`, "is", null)
    .where(sql`expires_at`, "is", null)
    .execute();
}

async function createExcludedResource(schema: SchemaModule): Promise<void> {
  await schema
    .createTable("excluded_resource")
    .addColumn("exclusion_id", "text", (column) => column.notNull())
    .addColumn("resource_key", "text", (column) => column.notNull())
    .addColumn("expires_at", "bigint", (column) => column.notNull())
    .addPrimaryKeyConstraint("excluded_resource_key", ["exclusion_id", "resource_key"])
    .execute();
  await schema
    .createIndex("excluded_resource_by_end")
    .on("excluded_resource")
    .columns(["resource_key", "expires_at", "exclusion_id"])
    .execute();
}

async function createOutbox(db: Kysely<Database>): Promise<void> {
  const { schema } = db;
  await schema
    .createTable("outbox")
    .addColumn("id", ...autoIncrementKey(db))
    .addColumn("change_id", "text", (column) => column.notNull().references("change.id"))
    .addColumn("kind", "text", (column) => column.notNull())
    .addColumn("recipient", "text", (column) => column.notNull())
    .addColumn("under_change_id", "text")
    .addColumn("state", "text", (column) => column.notNull())
    .addColumn("attempts", "integer", (column) => column.notNull())
    .addColumn("due_at", "bigint", (column) => column.notNull())
    .addColumn("queued_at", "bigint", (column) => column.notNull())
    .addColumn("sent_at", "bigint")
    .addColumn("summary_id", "bigint")
    .addColumn("posted_channel", "text")
    .addColumn("posted_ts", "text")
    .addColumn("posted_thread", "text")
    .addColumn("note", "text")
    .addColumn("error", "text")
    .execute();
  await schema.createIndex("outbox_by_kind").on("outbox").columns(["kind", "state", "due_at"]).execute();
  await schema.createIndex("outbox_by_recipient").on("outbox").columns(["state", "recipient", "id"]).execute();
  await schema
    .createIndex("outbox_by_time")
    .on("outbox")
    .columns(["recipient", "sent_at"])
    .where(sql`sent_at`, "is not", null)
    .execute();
  await schema.createIndex("outbox_by_queue").on("outbox").columns(["recipient", "queued_at"]).execute();
  await schema
    .createIndex("outbox_by_summary")
    .on("outbox")
    .columns(["summary_id", "id"])
    .where(sql`summary_id`, "is not", null)
    .execute();
  await schema.createIndex("outbox_by_change").on("outbox").columns(["change_id", "kind"]).execute();
}

async function createJob(db: Kysely<Database>): Promise<void> {
  const { schema } = db;
  await schema
    .createTable("job")
    .addColumn("id", ...autoIncrementKey(db))
    .addColumn("kind", "text", (column) => column.notNull())
    .addColumn("subject_id", "text", (column) => column.notNull())
    .addColumn("due_at", "bigint", (column) => column.notNull())
    .addColumn("next_at", "bigint", (column) => column.notNull())
    .addColumn("attempts", "integer", (column) => column.notNull())
    .addUniqueConstraint("job_once", ["kind", "subject_id", "due_at"])
    .execute();
  await schema.createIndex("job_by_time").on("job").columns(["next_at", "id"]).execute();
}

async function createInstanceAndLock(schema: SchemaModule): Promise<void> {
  await schema
    .createTable("instance")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("seen_at", "bigint", (column) => column.notNull())
    .execute();
  await schema
    .createTable("lock")
    .addColumn("key", "text", (column) => column.primaryKey())
    .addColumn("instance", "text", (column) => column.notNull())
    .addColumn("until", "bigint", (column) => column.notNull())
    .execute();
}

async function createResourceGroup(schema: SchemaModule): Promise<void> {
  await schema
    .createTable("resource_group")
    .addColumn("name", "text", (column) => column.primaryKey())
    .addColumn("type", "text", (column) => column.notNull())
    .addColumn("project_id", "text", (column) => column.notNull())
    .addColumn("ids_json", "text", (column) => column.notNull())
    .addColumn("saved_by", "text", (column) => column.notNull())
    .addColumn("saved_at", "bigint", (column) => column.notNull())
    .execute();
}

/** A config that would loosen something, and the admins' decision. */
async function createConfigRequest(schema: SchemaModule): Promise<void> {
  await schema
    .createTable("config_request")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("posting_until", "bigint", (column) => column.notNull())
    .addColumn("posted_channel", "text")
    .addColumn("posted_ts", "text")
    .addColumn("verdict", "text")
    .addColumn("decided_by", "text")
    .execute();
}
