import { createHash } from "node:crypto";
import { z } from "zod";
import type { TransitionTable } from "../db/database.ts";
import type { DecisionFacts, OutcomeFacts, RecordedFacts } from "./history-facts.ts";

/** What a change came into, or stayed in when one of several approvers spoke, with what became known of it then. */
export interface Transition {
  readonly changeId: string;
  readonly state: string;
  readonly at: number;
  readonly facts: {
    readonly change?: RecordedFacts;
    readonly decision?: DecisionFacts;
    readonly outcome?: OutcomeFacts;
  };
}

export type Link = Omit<TransitionTable, "sequence">;

/** What the first link has in place of the hash before it. */
export const beginning = "0".repeat(64);

export type Entry = Omit<Link, "previous_hash" | "hash">;

/** What a row says, wherever it stands. */
export function entryOf({ changeId, state, at, facts }: Transition): Entry {
  return { change_id: changeId, state, at, content_json: canonicalJson({ changeId, state, at, ...facts }) };
}

/** The row that goes behind the one with this hash. */
export function linkAfter(previousHash: string, transition: Transition): Link {
  const entry = entryOf(transition);
  return { ...entry, previous_hash: previousHash, hash: hashOf(previousHash, entry.content_json) };
}

/**
 * SHA-256 over the canonical JSON of both, as PostgreSQL also counts it in transition-table.ts. Changing this makes every history that
 * exists look broken.
 */
export function hashOf(previousHash: string, contentJson: string): string {
  return createHash("sha256").update(`{"content":${contentJson},"previous":"${previousHash}"}`).digest("hex");
}

const unkept = /[\p{Surrogate}\0]/gu;

/** One text for one value: keys sorted, no white space, and neither U+0000 nor half of a character, which no database keeps as it is. */
export function canonicalJson(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value.replace(unkept, "\ufffd"));
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (typeof value === "object" && value !== null) return canonicalObject({ ...value });
  return JSON.stringify(value) ?? "null";
}

function canonicalObject(value: Readonly<Record<string, unknown>>): string {
  let members = "";
  for (const key of Object.keys(value).sort()) {
    const each = value[key];
    if (each === undefined) continue;
    members += `${members === "" ? "" : ","}${canonicalJson(key)}:${canonicalJson(each)}`;
  }
  return `{${members}}`;
}

const facts = z.record(z.string(), z.unknown()).optional();

/** What `content_json` holds: history-chain.ts writes it. */
export const historyContent = z.strictObject({
  changeId: z.string(),
  state: z.string(),
  at: z.number(),
  change: facts,
  decision: facts,
  outcome: facts,
});
export type HistoryContent = z.output<typeof historyContent>;
