import type { Kysely, SchemaModule } from "kysely";
import type { Database } from "../database.ts";
import { numbered } from "./numbered.ts";

/** What is known of the service's things, the groups that people saved, and what is to be told in Slack. */
export async function knownAndTold(db: Kysely<Database>): Promise<void> {
  await createKnown(db.schema);
  await createDelivery(db);
  await createResourceGroup(db.schema);
}

async function createKnown(schema: SchemaModule): Promise<void> {
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
  await schema.createIndex("entity_by_email").on("entity").columns(["kind", "email_key"]).execute();
  await schema.createIndex("entity_by_end").on("entity").columns(["kind", "ended_at", "expires_at"]).execute();
}

async function createDelivery(db: Kysely<Database>): Promise<void> {
  const { schema } = db;
  await schema
    .createTable("outbox")
    .addColumn("id", ...numbered(db))
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
  await schema.createIndex("outbox_by_state").on("outbox").columns(["state", "due_at", "id"]).execute();
  await schema.createIndex("outbox_by_recipient").on("outbox").columns(["recipient", "state", "id"]).execute();
  await schema.createIndex("outbox_by_time").on("outbox").columns(["recipient", "sent_at"]).execute();
  await schema.createIndex("outbox_by_queue").on("outbox").columns(["recipient", "queued_at"]).execute();
  await schema.createIndex("outbox_by_summary").on("outbox").columns(["summary_id", "id"]).execute();
  await schema.createIndex("outbox_by_change").on("outbox").columns(["change_id", "kind"]).execute();
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
