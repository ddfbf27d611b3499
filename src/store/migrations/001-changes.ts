import type { SchemaModule } from "kysely";

/** Changes with their history, what is known of the service's things, and what is to be delivered. */
export async function changes(schema: SchemaModule): Promise<void> {
  await createChange(schema);
  await createTransition(schema);
  await createKnown(schema);
  await createDelivery(schema);
  await createResourceGroup(schema);
}

async function createChange(schema: SchemaModule): Promise<void> {
  await schema
    .createTable("change")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("delivery_key", "text", (column) => column.notNull().unique())
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
    .addColumn("error_code", "text")
    .addColumn("error_message", "text")
    .addColumn("note", "text")
    .addColumn("asked_at", "bigint", (column) => column.notNull())
    .addColumn("settled_at", "bigint")
    .execute();
  await schema.createIndex("change_by_state").on("change").columns(["state", "asked_at"]).execute();
  await schema.createIndex("change_by_time").on("change").columns(["asked_at", "id"]).execute();
  await schema.createIndex("change_by_actor").on("change").columns(["actor_id", "asked_at"]).execute();
  await schema
    .createIndex("change_by_subject")
    .on("change")
    .columns(["subject_kind", "subject_id", "asked_at"])
    .execute();
}

async function createTransition(schema: SchemaModule): Promise<void> {
  await schema
    .createTable("transition")
    .addColumn("sequence", "integer", (column) => column.primaryKey().autoIncrement())
    .addColumn("change_id", "text", (column) => column.notNull().references("change.id"))
    .addColumn("state", "text", (column) => column.notNull())
    .addColumn("at", "bigint", (column) => column.notNull())
    .execute();
  await schema.createIndex("transition_by_change").on("transition").columns(["change_id", "sequence"]).execute();
}

async function createKnown(schema: SchemaModule): Promise<void> {
  await schema
    .createTable("known")
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
    .addPrimaryKeyConstraint("known_key", ["kind", "id"])
    .execute();
  await schema.createIndex("known_by_name").on("known").columns(["kind", "name_key"]).execute();
  await schema.createIndex("known_by_email").on("known").columns(["kind", "email_key"]).execute();
  await schema.createIndex("known_by_end").on("known").columns(["kind", "ended_at", "expires_at"]).execute();
}

async function createDelivery(schema: SchemaModule): Promise<void> {
  await schema
    .createTable("delivery")
    .addColumn("id", "integer", (column) => column.primaryKey().autoIncrement())
    .addColumn("change_id", "text", (column) => column.notNull().references("change.id"))
    .addColumn("kind", "text", (column) => column.notNull())
    .addColumn("recipient", "text", (column) => column.notNull())
    .addColumn("under_change_id", "text")
    .addColumn("state", "text", (column) => column.notNull())
    .addColumn("attempts", "integer", (column) => column.notNull())
    .addColumn("due_at", "bigint", (column) => column.notNull())
    .addColumn("posted_channel", "text")
    .addColumn("posted_ts", "text")
    .addColumn("note", "text")
    .addColumn("error", "text")
    .execute();
  await schema.createIndex("delivery_by_state").on("delivery").columns(["state", "due_at", "id"]).execute();
  await schema.createIndex("delivery_by_change").on("delivery").columns(["change_id", "kind"]).execute();
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
