import { createHash } from "node:crypto";
import { z } from "zod";
import type { EventFacts } from "../../changes/audit.ts";
import type { TransitionTable } from "../db/database.ts";
import type { DecisionFacts, NoticeFacts, OutcomeFacts, RecordedFacts } from "./history-facts.ts";

/**
 * A change's new state (or the same, after one of several approvals and after a notice), with the facts of that moment. Or an event
 * that is about no change, whose name is its state.
 */
export interface Transition {
  readonly changeId?: string;
  readonly state: string;
  readonly at: number;
  /** The hash of the config in force. */
  readonly config?: string | undefined;
  readonly facts: {
    readonly change?: RecordedFacts;
    readonly decision?: DecisionFacts;
    readonly notified?: NoticeFacts;
    readonly outcome?: OutcomeFacts;
    readonly event?: EventFacts;
  };
}

type Link = Omit<TransitionTable, "sequence">;

/** The first link's previous hash. */
export const beginning = "0".repeat(64);

/** The row that follows the one with this hash. */
export function linkAfter(previousHash: string, { changeId, state, at, config, facts }: Transition): Link {
  const content_json = canonicalJson({ changeId, state, at, config, ...facts });
  const hash = hashOf(previousHash, content_json);
  return { change_id: changeId ?? null, state, at, content_json, previous_hash: previousHash, hash };
}

/** SHA-256 over the canonical JSON of both. Changing it breaks every existing history. */
export function hashOf(previousHash: string, contentJson: string): string {
  return createHash("sha256").update(`{"content":${contentJson},"previous":"${previousHash}"}`).digest("hex");
}

const unstorable = /[\p{Surrogate}\0]/gu;

/** One text per value: sorted keys, no white space, no U+0000 and no lone surrogates, which databases alter. */
export function canonicalJson(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value.replace(unstorable, "\ufffd"));
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

/** The schema of `content_json`. */
export const historyContent = z.strictObject({
  changeId: z.string().optional(),
  state: z.string(),
  at: z.number(),
  config: z.string().optional(),
  change: facts,
  decision: facts,
  notified: facts,
  outcome: facts,
  event: facts,
});
export type HistoryContent = z.output<typeof historyContent>;
