import { type Kysely, sql } from "kysely";
import type { Database } from "../database.ts";
import { beginning, linkAfter } from "../history-chain.ts";
import { outcomeFacts, recordedFacts } from "../history-facts.ts";

const batchSize = 500;

/** Chains every transition to the one before it by a hash, those that are there already too. */
export async function historyChain(db: Kysely<Database>): Promise<void> {
  for (const column of ["content_json", "previous_hash", "hash"]) {
    await db.schema
      .alterTable("transition")
      .addColumn(column, "text", (definition) => definition.notNull().defaultTo(""))
      .execute();
  }
  await db.schema.createIndex("transition_by_hash").on("transition").column("hash").execute();
  await db.schema
    .createTable("history_head")
    .addColumn("id", "integer", (column) => column.primaryKey())
    .addColumn("length", "bigint", (column) => column.notNull())
    .addColumn("hash", "text", (column) => column.notNull())
    .addCheckConstraint("history_head_is_one", sql`id = 1`)
    .execute();
  const head = await chainAll(db);
  await db
    .insertInto("history_head")
    .values({ id: 1, ...head })
    .execute();
}

async function chainAll(db: Kysely<Database>): Promise<{ readonly length: number; readonly hash: string }> {
  let [length, hash, sequence] = [0, beginning, 0];
  for (;;) {
    const rows = await db
      .selectFrom("transition")
      .innerJoin("change", "change.id", "transition.change_id")
      .selectAll("change")
      .select(["transition.sequence", "transition.state as came_into", "transition.at"])
      .where("transition.sequence", ">", sequence)
      .orderBy("transition.sequence")
      .limit(batchSize)
      .execute();
    for (const row of rows) {
      const facts = row.came_into === "performing" ? { change: recordedFacts(row) } : { outcome: outcomeFacts(row) };
      const link = linkAfter(hash, { changeId: row.id, state: row.came_into, at: row.at, facts });
      await db.updateTable("transition").set(link).where("sequence", "=", row.sequence).execute();
      [length, hash, sequence] = [length + 1, link.hash, row.sequence];
    }
    if (rows.length < batchSize) return { length, hash };
  }
}
