import { createHash } from "node:crypto";
import type { Kysely } from "kysely";
import { z } from "zod";
import type { Anchor } from "../../changes/audit.ts";
import type { Database, TransitionTable } from "../db/database.ts";
import { beginning } from "./history-chain.ts";

const schema = z.object({
  event: z.object({ pruned: z.int(), through: z.int(), anchor: z.string(), kept: z.int(), seal: z.string() }),
});

/** The anchor in force, from the last event that has one. */
export async function anchorOf(db: Kysely<Database>): Promise<Anchor> {
  const last = await db
    .selectFrom("transition")
    .select("content_json")
    .where("change_id", "is", null)
    .where("state", "=", "pruned")
    .orderBy("sequence", "desc")
    .limit(1)
    .executeTakeFirst();
  return (last && anchorIn(last)) ?? { pruned: 0, through: 0, anchor: beginning, ...sealed([]) };
}

/** Undefined for content that Curfew did not write. */
export function anchorIn({ content_json: text }: Pick<TransitionTable, "content_json">): Anchor | undefined {
  try {
    return schema.safeParse(JSON.parse(text)).data?.event;
  } catch {
    return undefined;
  }
}

/** What is left from before the anchor, where the chain has gaps: a hash over the hashes of those entries. */
export async function sealOf(db: Kysely<Database>, through: number): Promise<Pick<Anchor, "kept" | "seal">> {
  const rows = db.selectFrom("transition").select(["sequence", "hash"]).where("sequence", "<=", through);
  return sealed(await rows.orderBy("sequence").execute());
}

function sealed(rows: readonly { readonly sequence: number; readonly hash: string }[]) {
  const lines = rows.map(({ sequence, hash }) => `${sequence}:${hash}\n`);
  return { kept: rows.length, seal: createHash("sha256").update(lines.join("")).digest("hex") };
}
