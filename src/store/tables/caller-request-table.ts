import { z } from "zod";
import type { AskedBefore, CallerRequestStore } from "../../changes/caller-requests.ts";
import type { Db } from "../db/database.ts";

const storedAnswer = z.object({ status: z.int(), body: z.string(), location: z.string().optional() });

export function createCallerRequestStore(db: Db): CallerRequestStore {
  const callerRequest = async (id: string): Promise<AskedBefore | undefined> => {
    const found = db.selectFrom("caller_request").select(["body_hash", "answer_json"]).where("id", "=", id);
    const row = await found.executeTakeFirst();
    return (
      row && {
        bodyHash: row.body_hash,
        answer: row.answer_json === null ? undefined : storedAnswer.parse(JSON.parse(row.answer_json)),
      }
    );
  };
  return {
    callerRequest,
    claimCallerRequest: async ({ id, bodyHash, receivedAt }) => {
      const claimed = await db
        .insertInto("caller_request")
        .values({ id, body_hash: bodyHash, received_at: receivedAt, answer_json: null })
        .onConflict((conflict) => conflict.column("id").doNothing())
        .returning("id")
        .execute();
      const earlier = claimed.length === 0 ? await callerRequest(id) : undefined;
      return earlier ?? { bodyHash, answer: undefined };
    },
    answerCallerRequest: async (id, answer) => {
      const unanswered = db.updateTable("caller_request").where("id", "=", id).where("answer_json", "is", null);
      await unanswered.set({ answer_json: JSON.stringify(answer) }).execute();
    },
    cleanCallerRequests: async (before, limit) => {
      const old = db.selectFrom("caller_request").select("id").where("received_at", "<", before).limit(limit);
      const deleted = await db.deleteFrom("caller_request").where("id", "in", old).returning("id").execute();
      return deleted.length;
    },
  };
}
