import { type Kysely, sql, type Transaction } from "kysely";
import { z } from "zod";
import type { Anchor, AuditEvents } from "../../changes/audit.ts";
import { type Database, isPostgres, type TransitionTable } from "../db/database.ts";
import { beginning, sha256 } from "./history-chain.ts";

const anchoring: readonly (keyof AuditEvents)[] = ["pruned", "forgotten"];
const [int, text] = [z.int(), z.string()];
const schema = z.object({ event: z.object({ pruned: int, through: int, anchor: text, kept: int, seal: text }) });

/** An arbitrary number, other than that of migrations. */
const anchorLock = 4_287_339_116;

/** Two instances would each take the place of the other's anchor. */
export async function lockAnchor(trx: Transaction<Database>): Promise<void> {
  if (isPostgres(trx)) await sql`select pg_advisory_xact_lock(${anchorLock})`.execute(trx);
}

/** The anchor in force, from the last event that has one. */
export async function anchorOf(db: Kysely<Database>): Promise<Anchor> {
  const events = db.selectFrom("transition").select("content_json").where("change_id", "is", null);
  const latest = events.where("state", "in", anchoring).orderBy("sequence", "desc").limit(1);
  const none = { pruned: 0, through: 0, anchor: beginning, kept: 0, seal: sha256("") };
  return (await latest.execute()).map(anchorIn)[0] ?? none;
}

/** Undefined for content that has none. */
export function anchorIn({ content_json: json }: Pick<TransitionTable, "content_json">): Anchor | undefined {
  try {
    return schema.safeParse(JSON.parse(json)).data?.event;
  } catch {
    return undefined;
  }
}

/** What the chain alone does not prove: entries left from before the anchor, and those with forgotten texts. A hash over their hashes. */
export async function sealOf(db: Kysely<Database>, through: number): Promise<Pick<Anchor, "kept" | "seal">> {
  const rows = db.selectFrom("transition").select(["sequence", "hash", "forgotten"]).orderBy("sequence");
  const kept = rows.where(({ eb, or }) => or([eb("sequence", "<=", through), eb("forgotten", "is not", null)]));
  const lines = (await kept.execute()).map(
    ({ sequence, hash, forgotten }) => `${sequence}:${hash}:${forgotten ?? ""}\n`,
  );
  return { kept: lines.length, seal: sha256(lines.join("")) };
}
