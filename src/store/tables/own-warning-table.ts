import type { OwnWarningStore } from "../../changes/queries/own-warnings.ts";
import type { Db } from "../db/database.ts";

export function createOwnWarningStore(db: Db): OwnWarningStore {
  return {
    ownWarnings: (userId) =>
      db
        .selectFrom("own_warning")
        .select(["user_id as userId", "group_name as group", "before_ms as beforeMs", "channel_id as channelId"])
        .$if(userId !== undefined, (query) => query.where("user_id", "=", userId ?? ""))
        .orderBy("user_id")
        .orderBy("group_name")
        .execute(),
    saveOwnWarning: async ({ userId, group, beforeMs, channelId }) => {
      await db
        .insertInto("own_warning")
        .values({ user_id: userId, group_name: group, before_ms: beforeMs, channel_id: channelId })
        .onConflict((conflict) =>
          conflict.columns(["user_id", "group_name"]).doUpdateSet({ before_ms: beforeMs, channel_id: channelId }),
        )
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
