import { setImmediate as nextTurn } from "node:timers/promises";
import type { Kysely, Selectable } from "kysely";
import type { z } from "zod";
import type { OwnWarningStore } from "../../changes/queries/own-warnings.ts";
import { type ActionChangedElsewhere, changedElsewhere } from "../../commands/changed-elsewhere.ts";
import { type WatchStore, type WatchUpdate, watchLock } from "../../watch/watch-store.ts";
import { actionFacts, type WatchedAction } from "../../watch/watched-action.ts";
import { type Database, type Db, excluded, isPostgres, type WatchedActionTable } from "../db/database.ts";
import { type OnUnreadable, readRows } from "../db/read-rows.ts";
import { transact } from "../db/transact.ts";
import { createBulletinStore, postBulletins, redrawBulletins } from "./bulletin-table.ts";
import { queueMessages } from "./outbox-table.ts";

export function createWatchTable(
  db: Db,
  instance: string,
  onUnreadable: OnUnreadable,
): Pick<WatchStore, "watchedActions" | "seenAction" | "seenChanges" | "isWatching" | "saveWatch"> {
  return {
    isWatching: async () => !isPostgres(db) || (await watchingInstance(db).executeTakeFirst())?.instance === instance,
    watchedActions: async () =>
      readRows(
        "watched_action",
        await db.selectFrom("watched_action").selectAll().execute(),
        watchedActionOf,
        onUnreadable,
      ),
    seenAction: async (id) => {
      const rows = await db.selectFrom("watched_action").selectAll().where("id", "=", id).execute();
      const [found] = readRows("watched_action", rows, watchedActionOf, onUnreadable);
      return found && { lastAt: found.lastAt, change: found.change };
    },
    seenChanges: () => seenChanges(db, onUnreadable),
    saveWatch: (update, at) =>
      transact(db, async (trx) => {
        if (!(await holdsLock(trx, instance))) return false;
        await saveActions(trx, update);
        await postBulletins(trx, update.bulletins ?? [], at);
        await queueMessages(trx, update.outbox ?? [], at);
        await redrawBulletins(trx, update.redrawn ?? [], at);
        const over = update.over ?? [];
        if (over.length > 0) await trx.updateTable("bulletin").set({ over_at: null }).where("id", "in", over).execute();
        return true;
      }),
  };
}

/** Those of the messages that were sent of them, and the last of each action. */
async function seenChanges(db: Db, onUnreadable: OnUnreadable): Promise<readonly ActionChangedElsewhere[]> {
  const messages = await createBulletinStore(db, onUnreadable).bulletinsSince("elsewhere", 0);
  const rows = await db.selectFrom("watched_action").selectAll().where("facts_json", "like", '%"change":{%').execute();
  const latest = readRows("watched_action", rows, watchedActionOf, onUnreadable);
  const all = [
    ...messages.flatMap(({ content }) => (content.kind === "elsewhere" ? content.actions : [])),
    ...latest.flatMap(({ id, facts: { name, projectId }, change }) =>
      change ? [{ ...change, actionId: id, name: name ?? id, projectId }] : [],
    ),
  ];
  return [...new Map(all.map((each) => [`${each.actionId} ${each.seenAt}`, each])).values()];
}

/** Locks the lock's row until the transaction ends. With SQLite there is one instance. */
async function holdsLock(trx: Kysely<Database>, instance: string): Promise<boolean> {
  if (!isPostgres(trx)) return true;
  const row = await watchingInstance(trx).forUpdate().executeTakeFirst();
  return row?.instance === instance;
}

const watchingInstance = (db: Kysely<Database>) =>
  db.selectFrom("lock").select("instance").where("key", "=", watchLock);

/** Few enough that the event loop runs in between. */
const rowsAtOnce = 50;

async function saveActions(trx: Kysely<Database>, { changed, gone }: WatchUpdate): Promise<void> {
  for (let from = 0; from < changed.length; from += rowsAtOnce) {
    await trx
      .insertInto("watched_action")
      .values(changed.slice(from, from + rowsAtOnce).map(rowOf))
      .onConflict((conflict) =>
        conflict
          .column("id")
          .doUpdateSet(excluded<"watched_action">("facts_json", "next_at", "last_at", "missing_since")),
      )
      .execute();
    await nextTurn();
  }
  for (let from = 0; from < gone.length; from += rowsAtOnce)
    await trx
      .deleteFrom("watched_action")
      .where("id", "in", gone.slice(from, from + rowsAtOnce))
      .execute();
}

const storedFacts = actionFacts.extend({ change: changedElsewhere.optional() });

function rowOf({ id, facts, nextAt, lastAt, missingSince, change }: WatchedAction) {
  const stored: z.input<typeof storedFacts> = { ...facts, change };
  return { id, facts_json: JSON.stringify(stored), next_at: nextAt, last_at: lastAt, missing_since: missingSince };
}

function watchedActionOf(row: Selectable<WatchedActionTable>): WatchedAction {
  const { change, ...facts } = storedFacts.parse(JSON.parse(row.facts_json));
  return {
    id: row.id,
    ...(change ? { change } : {}),
    facts,
    nextAt: row.next_at,
    lastAt: row.last_at,
    missingSince: row.missing_since,
  };
}

export function createOwnWarningStore(db: Db): OwnWarningStore {
  return {
    ownWarnings: async (userId) => {
      const rows = await db
        .selectFrom("own_warning")
        .selectAll()
        .$if(userId !== undefined, (query) => query.where("user_id", "=", userId ?? ""))
        .orderBy("user_id")
        .orderBy("group_name")
        .execute();
      return rows.map(({ user_id, group_name: group, before_ms: beforeMs, channel_id: channelId, from_ms, to_ms }) => ({
        ...{ userId: user_id, group, beforeMs, channelId },
        during: from_ms === null || to_ms === null ? null : { from: from_ms, to: to_ms },
      }));
    },
    saveOwnWarning: async ({ userId, group, beforeMs, channelId, during }) => {
      const said = {
        ...{ before_ms: beforeMs, channel_id: channelId },
        ...{ from_ms: during?.from ?? null, to_ms: during?.to ?? null },
      };
      await db
        .insertInto("own_warning")
        .values({ user_id: userId, group_name: group, ...said })
        .onConflict((conflict) => conflict.columns(["user_id", "group_name"]).doUpdateSet(said))
        .execute();
    },
    removeOwnWarning: async (userId, group) => {
      const removed = await db
        .deleteFrom("own_warning")
        .where("user_id", "=", userId)
        .where("group_name", "=", group)
        .returning("group_name")
        .execute();
      return removed.length > 0;
    },
  };
}
