import { type Kysely, sql } from "kysely";
import { autoIncrementKey } from "../auto-increment-key.ts";
import { type Database, isPostgres } from "../database.ts";

/** The service's actions as they were seen last, and messages that are about no change. */
export async function watch(db: Kysely<Database>): Promise<void> {
  const { schema } = db;
  await schema
    .createTable("watched_action")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("facts_json", "text", (column) => column.notNull())
    .addColumn("next_at", "bigint")
    .addColumn("last_at", "bigint")
    .addColumn("missing_since", "bigint")
    .execute();
  await schema
    .createTable("bulletin")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("kind", "text", (column) => column.notNull())
    .addColumn("content_json", "text", (column) => column.notNull())
    .addColumn("at", "bigint", (column) => column.notNull())
    .addColumn("over_at", "bigint")
    .execute();
  await schema.createIndex("bulletin_by_end").on("bulletin").columns(["over_at", "kind"]).execute();
  if (isPostgres(db)) await schema.alterTable("outbox").dropConstraint("outbox_change_id_fkey").execute();
  else await rebuildOutbox(db);
}

/** A message may belong to a bulletin rather than to a change, and SQLite cannot drop a constraint. */
async function rebuildOutbox(db: Kysely<Database>): Promise<void> {
  const { schema } = db;
  await schema
    .createTable("new_outbox")
    .addColumn("id", ...autoIncrementKey(db))
    .addColumn("change_id", "text", (column) => column.notNull())
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
  const columns = sql.raw(
    "id, change_id, kind, recipient, under_change_id, state, attempts, due_at, queued_at, sent_at, summary_id, posted_channel, posted_ts, posted_thread, note, error",
  );
  await sql`insert into new_outbox (${columns}) select ${columns} from outbox`.execute(db);
  await schema.dropTable("outbox").execute();
  await schema.alterTable("new_outbox").renameTo("outbox").execute();
  const index = (name: string) => schema.createIndex(name).on("outbox");
  await index("outbox_by_kind").columns(["kind", "state", "due_at"]).execute();
  await index("outbox_by_recipient").columns(["state", "recipient", "id"]).execute();
  await index("outbox_by_time").columns(["recipient", "sent_at"]).where(sql`sent_at`, "is not", null).execute();
  await index("outbox_by_queue").columns(["recipient", "queued_at"]).execute();
  await index("outbox_by_summary").columns(["summary_id", "id"]).where(sql`summary_id`, "is not", null).execute();
  await index("outbox_by_change").columns(["change_id", "kind"]).execute();
}
