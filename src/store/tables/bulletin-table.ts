import type { Kysely, Selectable } from "kysely";
import {
  type Bulletin,
  type BulletinKind,
  type BulletinStore,
  bulletinContent,
  type NewBulletin,
} from "../../changes/bulletin.ts";
import type { BulletinTable, Database, Db } from "../db/database.ts";
import { type OnUnreadable, readRows } from "../db/read-rows.ts";
import { transact } from "../db/transact.ts";
import { queueMessages } from "./outbox-table.ts";

export function createBulletinStore(db: Db, onUnreadable: OnUnreadable): BulletinStore {
  const read = (rows: readonly Selectable<BulletinTable>[]) => readRows("bulletin", rows, bulletinOf, onUnreadable);
  const ofKind = (kind: BulletinKind) => db.selectFrom("bulletin").selectAll().where("kind", "=", kind);
  return {
    bulletin: async (id) => {
      const [found] = read(await db.selectFrom("bulletin").selectAll().where("id", "=", id).execute());
      return found;
    },
    openBulletins: async (kind) =>
      read(await ofKind(kind).where("over_at", "is not", null).orderBy("over_at").orderBy("id").execute()),
    bulletinsSince: async (kind, since) => read(await ofKind(kind).where("at", ">=", since).orderBy("id").execute()),
  };
}

/** With their messages, which belong to them alone. */
export function cleanBulletins(db: Db, before: number, limit: number): Promise<number> {
  return transact(db, async (trx) => {
    const over = trx.selectFrom("bulletin").select("id").where("over_at", "is", null).where("at", "<", before);
    const ids = (await over.limit(limit).execute()).map(({ id }) => id);
    if (ids.length === 0) return 0;
    await trx.deleteFrom("outbox").where("change_id", "in", ids).where("state", "!=", "pending").execute();
    await trx.deleteFrom("bulletin").where("id", "in", ids).execute();
    return ids.length;
  });
}

function bulletinOf({ id, content_json, at, over_at }: Selectable<BulletinTable>): Bulletin {
  return { id, content: bulletinContent.parse(JSON.parse(content_json)), at, overAt: over_at };
}

/** Stores and queues bulletins in the caller's transaction. One that is stored already stays as it is. */
export async function postBulletins(
  db: Kysely<Database>,
  bulletins: readonly NewBulletin[],
  dueAt: number,
): Promise<void> {
  for (const { id, content, at, overAt, to } of bulletins) {
    const stored = await db
      .insertInto("bulletin")
      .values({ id, kind: content.kind, content_json: JSON.stringify(content), at, over_at: overAt })
      .onConflict((conflict) => conflict.column("id").doNothing())
      .returning("id")
      .executeTakeFirst();
    if (stored) await queueMessages(db, [{ changeId: id, kind: "bulletin", to, underChangeId: null }], dueAt);
  }
}

/** Stores the new content of bulletins and queues that they are drawn again, in the caller's transaction. */
export async function redrawBulletins(
  db: Kysely<Database>,
  bulletins: readonly NewBulletin[],
  dueAt: number,
): Promise<void> {
  for (const { id, content, overAt, to } of bulletins) {
    await db
      .updateTable("bulletin")
      .set({ content_json: JSON.stringify(content), over_at: overAt })
      .where("id", "=", id)
      .execute();
    await queueMessages(db, [{ changeId: id, kind: "update", to, underChangeId: null }], dueAt);
  }
}
