import type { Selectable } from "kysely";
import type { ConfigRequest, ConfigRequestStore } from "../../changes/config-requests.ts";
import type { ConfigRequestTable, Db } from "../db/database.ts";

export function createConfigRequestStore(db: Db): ConfigRequestStore {
  const find = (id: string) => db.selectFrom("config_request").selectAll().where("id", "=", id).executeTakeFirst();
  return {
    openConfigRequest: async (id) => {
      const empty = { posting_until: 0, posted_channel: null, posted_ts: null, verdict: null, decided_by: null };
      await db
        .insertInto("config_request")
        .values({ id, ...empty })
        .onConflict((conflict) => conflict.column("id").doNothing())
        .execute();
      const row = await find(id);
      return row && requestOf(row);
    },
    configRequest: async (id) => {
      const row = await find(id);
      return row && requestOf(row);
    },
    claimConfigCard: async (id, now, leaseMs) => {
      const claimed = await db
        .updateTable("config_request")
        .set({ posting_until: now + leaseMs })
        .where("id", "=", id)
        .where("verdict", "is", null)
        .where("posted_ts", "is", null)
        .where("posting_until", "<=", now)
        .returning("id")
        .executeTakeFirst();
      return claimed !== undefined;
    },
    configCardPosted: async (id, { channelId, ts }) => {
      await db
        .updateTable("config_request")
        .set({ posted_channel: channelId, posted_ts: ts })
        .where("id", "=", id)
        .execute();
    },
    decideConfig: async (id, verdict, decidedBy) => {
      const decided = await db
        .updateTable("config_request")
        .set({ verdict, decided_by: decidedBy })
        .where("id", "=", id)
        .where("verdict", "is", null)
        .returning("id")
        .executeTakeFirst();
      return decided !== undefined;
    },
    forgetConfigRequest: async (id) => {
      await db.deleteFrom("config_request").where("id", "=", id).execute();
    },
    forgetConfigDecisions: async (exceptId) => {
      const decided = db.deleteFrom("config_request").where("verdict", "is not", null);
      await decided.$if(exceptId !== undefined, (query) => query.where("id", "!=", exceptId ?? "")).execute();
    },
  };
}

function requestOf({ id, ...row }: Selectable<ConfigRequestTable>): ConfigRequest {
  const { posted_channel: channelId, posted_ts: ts, verdict, decided_by } = row;
  return {
    id,
    card: channelId !== null && ts !== null ? { channelId, ts } : undefined,
    // An unknown verdict of a newer version counts as `keep`.
    verdict: verdict === "use" ? "use" : verdict === null ? undefined : "keep",
    decidedBy: decided_by ?? undefined,
  };
}
