import { createHash, randomBytes } from "node:crypto";
import { type Kysely, sql, type Transaction } from "kysely";
import { z } from "zod";
import type { Anchor, AuditEvents, EventFacts } from "../../changes/audit.ts";
import { parseJson } from "../../service/read-answer.ts";
import { type Database, isPostgres, type TransitionTable } from "../db/database.ts";
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
/** A row without its place. */
export type Entry = Omit<Link, "previous_hash" | "hash">;

/** The first link's previous hash. */
export const beginning = "0".repeat(64);

/** The row that follows the one with this hash. */
export const linkAfter = (previousHash: string, entry: Entry): Link => ({
  ...entry,
  previous_hash: previousHash,
  hash: hashOf(previousHash, entry.content_json),
});

/**
 * What may be a name, an address or free text is apart, with a salt: the hash covers a hash of it, so that it can be forgotten, and the
 * facts are still proven.
 */
export function entryOf({ changeId, state, at, config, facts }: Transition): Entry {
  const texts: string[] = [];
  const content = canonicalJson({ changeId, state, at, config, ...facts }, texts);
  const texts_json = texts.length === 0 ? null : JSON.stringify({ salt: randomBytes(16).toString("hex"), texts });
  const content_json = texts_json === null ? content : `${content.slice(0, -1)},"texts":"${sha256(texts_json)}"}`;
  return { change_id: changeId ?? null, state, at, content_json, texts_json, forgotten: null };
}

/** SHA-256 over the canonical JSON of both. Changing it breaks every existing history. */
export function hashOf(previousHash: string, contentJson: string): string {
  return sha256(`{"content":${contentJson},"previous":"${previousHash}"}`);
}

export const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

/** Over what is left of an entry of which some text is forgotten. */
export const leftHash = ({
  content_json: json,
  texts_json: texts,
}: Pick<Link, "content_json" | "texts_json">): string => sha256(`${json}\n${texts}`);

const unstorable = /[\p{Surrogate}\0]/gu;

/** Facts under these keys, and others with a space or an address in them, unless they are words of Curfew's own. */
const textKeys = /name(?:_key)?$|mail|reason|note|message|comment|description|effect|because|modifiedBy|createdBy/i;
const ownKeys: ReadonlySet<string> = new Set(["words", "rule"]);
/** Stands for the text with this number. */
const placeShape = /^#\d+$/;
const textShape = /[\s@]|^#\d+$/;

/** Whether a text may be about a person. */
export const isApart = (key: string, text: string): boolean =>
  !ownKeys.has(key) && (textKeys.test(key) || textShape.test(text));

/** What is in a text about a person is one too. */
export const keyIn = (under: string, key: string): string => (textKeys.test(under) ? under : key);

/**
 * One text per value: sorted keys, no white space, no U+0000 and no lone surrogates, which databases alter. With `texts`, what may be
 * about a person goes there, and only its place is in the result.
 */
export function canonicalJson(value: unknown, texts?: string[], key = ""): string {
  if (typeof value === "string") {
    const text = value.replace(unstorable, "\ufffd");
    return JSON.stringify(texts && isApart(key, text) ? `#${texts.push(text) - 1}` : text);
  }
  if (Array.isArray(value)) return `[${value.map((each) => canonicalJson(each, texts, key)).join(",")}]`;
  if (typeof value === "object" && value !== null) return canonicalObject({ ...value }, texts, key);
  return JSON.stringify(value) ?? "null";
}

function canonicalObject(value: Readonly<Record<string, unknown>>, texts: string[] | undefined, under: string): string {
  let members = "";
  for (const key of Object.keys(value).sort()) {
    const each = value[key];
    if (each === undefined) continue;
    const kind = keyIn(under, key);
    members += `${members === "" ? "" : ","}${canonicalJson(key)}:${canonicalJson(each, texts, kind)}`;
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
  texts: z.string().optional(),
});
export type HistoryContent = z.output<typeof historyContent>;

const textsApart = z.object({ texts: z.array(z.string()) });

/** The content of an entry with its texts in their places. Throws for content that Curfew did not write. */
export function contentIn({ content_json: json, texts_json: apart }: Pick<Link, "content_json" | "texts_json">) {
  const texts = apart === null ? undefined : textsApart.parse(JSON.parse(apart)).texts;
  const isPlace = (value: unknown): value is string => typeof value === "string" && placeShape.test(value);
  return historyContent.parse(
    JSON.parse(json, (_key, value) => (texts && isPlace(value) ? texts[Number(value.slice(1))] : value)),
  );
}

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
export const anchorIn = ({ content_json: json }: Pick<TransitionTable, "content_json">): Anchor | undefined =>
  schema.safeParse(parseJson(json)).data?.event;

/** What the chain alone does not prove: entries left from before the anchor, and those with forgotten texts. A hash over their hashes. */
export async function sealOf(db: Kysely<Database>, through: number): Promise<Pick<Anchor, "kept" | "seal">> {
  const rows = db.selectFrom("transition").select(["sequence", "hash", "forgotten"]).orderBy("sequence");
  const kept = rows.where(({ eb, or }) => or([eb("sequence", "<=", through), eb("forgotten", "is not", null)]));
  const lines = (await kept.execute()).map(
    ({ sequence, hash, forgotten }) => `${sequence}:${hash}:${forgotten ?? ""}\n`,
  );
  return { kept: lines.length, seal: sha256(lines.join("")) };
}
