import { type Kysely, sql } from "kysely";
import { z } from "zod";
import type { Database } from "../database.ts";

/** What keeps answers and commits as quick in a large database as in an empty one. */
export async function answersAsItGrows(db: Kysely<Database>): Promise<void> {
  await createExcludedResource(db);
  await turnLockIntoNext(db);
  await indexOnlyWhatIsAsked(db);
}

async function createExcludedResource(db: Kysely<Database>): Promise<void> {
  const { schema } = db;
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
  await fillExcludedResource(db);
}

const exclusion = z.looseObject({ resourceIds: z.array(z.string()).nullish() });

/** From the exclusions that are known already, a page at a time. */
async function fillExcludedResource(db: Kysely<Database>): Promise<void> {
  for (let last = ""; ; ) {
    const page = await exclusionsAfter(db, last);
    for (const { id: exclusion_id, expires_at, body_json } of page) {
      const keys = new Set(resourceIdsIn(body_json).map((id) => id.toLowerCase()));
      for (const resource_key of keys)
        await db
          .insertInto("excluded_resource")
          .values({ exclusion_id, resource_key, expires_at: expires_at ?? 0 })
          .execute();
    }
    const end = page.at(-1);
    if (end === undefined) return;
    last = end.id;
  }
}

function exclusionsAfter(db: Kysely<Database>, id: string) {
  return db
    .selectFrom("entity")
    .select(["id", "expires_at", "body_json"])
    .where("kind", "=", "exclusion")
    .where("expires_at", "is not", null)
    .where("id", ">", id)
    .orderBy("id")
    .limit(500)
    .execute();
}

/** None of what cannot be read: the body itself is read, and complained of, where it is used. */
function resourceIdsIn(json: string): readonly string[] {
  try {
    return exclusion.parse(JSON.parse(json)).resourceIds ?? [];
  } catch {
    return [];
  }
}

/** A job says when it is next to be looked at: one column to look it up by, instead of two. */
async function turnLockIntoNext(db: Kysely<Database>): Promise<void> {
  const { schema } = db;
  await schema
    .alterTable("job")
    .addColumn("next_at", "bigint", (column) => column.notNull().defaultTo(0))
    .execute();
  await sql`update job set next_at = coalesce(locked_until, due_at)`.execute(db);
  await schema.dropIndex("job_by_time").execute();
  await schema.alterTable("job").dropColumn("locked_until").execute();
  await schema.createIndex("job_by_time").on("job").columns(["next_at", "id"]).execute();
}

/** An index that holds only the rows it is asked for costs the other rows nothing, and does not grow with them. */
async function indexOnlyWhatIsAsked(db: Kysely<Database>): Promise<void> {
  const { schema } = db;
  const replaced = ["change_by_state", "transition_by_hash", "entity_by_email", "outbox_by_state"] as const;
  for (const name of [...replaced, "outbox_by_recipient", "outbox_by_time", "outbox_by_summary"])
    await schema.dropIndex(name).execute();
  await schema
    .createIndex("change_open")
    .on("change")
    .columns(["state", "requested_at"])
    .where(sql`settled_at`, "is", null)
    .execute();
  await schema
    .createIndex("entity_by_email")
    .on("entity")
    .columns(["kind", "email_key"])
    .where(sql`email_key`, "is not", null)
    .execute();
  await schema.createIndex("outbox_by_kind").on("outbox").columns(["kind", "state", "due_at"]).execute();
  await schema.createIndex("outbox_by_recipient").on("outbox").columns(["state", "recipient", "id"]).execute();
  await schema
    .createIndex("outbox_by_time")
    .on("outbox")
    .columns(["recipient", "sent_at"])
    .where(sql`sent_at`, "is not", null)
    .execute();
  await schema
    .createIndex("outbox_by_summary")
    .on("outbox")
    .columns(["summary_id", "id"])
    .where(sql`summary_id`, "is not", null)
    .execute();
}
