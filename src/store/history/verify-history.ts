import type { Kysely, Selectable } from "kysely";
import type { Anchor } from "../../changes/audit.ts";
import type { ChangeTable, Database, Db, DecisionTable, NoticeTable, TransitionTable } from "../db/database.ts";
import { openExisting } from "../db/open-database.ts";
import { type AuditEvent, auditEvent, gapEvent } from "./audit-event.ts";
import {
  anchorIn,
  anchorOf,
  beginning,
  canonicalJson,
  contentIn,
  type HistoryContent,
  hashOf,
  leftHash,
  sealOf,
  sha256,
} from "./history-chain.ts";
import { decisionFacts, noticeFacts, outcomeFacts, recordedFacts } from "./history-facts.ts";
import { lastSequences, transitionCount, transitionsOf } from "./transition-table.ts";

export type History = Awaited<ReturnType<typeof openHistory>>;

export interface HistoryEntry {
  readonly sequence: number;
  readonly previousHash: string;
  readonly hash: string;
  readonly content: HistoryContent;
  /** The exact text that the hash covers. */
  readonly contentJson: string;
  /** That of which the content has the hash: the texts that stand in it as #0, #1 and so on. */
  readonly textsJson: string | null;
}

/** Opens the history to read it, also beside a running Curfew. Refuses a database with another version's schema. */
export async function openHistory(database: string) {
  const db = await openExisting(database, "read");
  return {
    /** In one snapshot, so that a concurrent append does not look like a break. `expected`: earlier heads, kept elsewhere. */
    verify: (expected?: readonly Head[], onProgress?: OnProgress) =>
      db
        .transaction()
        .setIsolationLevel("repeatable read")
        .setAccessMode("read only")
        .execute((trx) => verifyHistory(trx, expected, onProgress)),
    /** Oldest first, read lazily. Needs no snapshot: rows are never altered, and new ones come last. `since`: in epoch ms. */
    entries: (since?: number, onProgress?: OnProgress) => entries(db, since, onProgress),
    /** The audit events after a place, oldest first. Throws where the history ends before it. */
    eventsAfter: (cursor: number) => eventsAfter(db, cursor),
    close: () => db.destroy(),
  };
}

async function* entries(db: Db, since = 0, onProgress?: OnProgress): AsyncGenerator<HistoryEntry> {
  const total = onProgress === undefined ? 0 : await transitionCount(db, since);
  let done = 0;
  for await (const batch of transitionsOf(db, since)) {
    yield* batch.map(entryOf);
    done += batch.length;
    onProgress?.("Transitions exported", done, total);
  }
}

async function* eventsAfter(db: Db, cursor: number): AsyncGenerator<AuditEvent> {
  const length = (await headOf(db))?.length ?? 0;
  if (cursor > length)
    throw new Error(
      `it ends at ${length}, before ${cursor}: a part was cut off, or a backup was restored. Collect it again from 0, and run "audit verify"`,
    );
  const anchor = await anchorOf(db);
  let last = cursor;
  for await (const batch of transitionsOf(db, 0, cursor))
    for (const row of batch) {
      if (last < anchor.through && row.sequence > anchor.through) yield gapEvent(anchor, row);
      last = row.sequence;
      yield auditEvent(row);
    }
}

function entryOf({ sequence, previous_hash, hash, content_json, texts_json }: TransitionTable): HistoryEntry {
  try {
    const content = contentIn({ content_json, texts_json });
    return { sequence, previousHash: previous_hash, hash, content, contentJson: content_json, textsJson: texts_json };
  } catch (error) {
    throw new Error(`could not read transition ${sequence} of the history: run "audit verify"`, {
      cause: error,
    });
  }
}

/** The end of a history: its number of transitions and the last hash. */
export interface Head {
  readonly length: number;
  readonly hash: string;
}

/**
 * With the anchor, where entries were pruned. `unproven`: how many of those with `forgotten` texts had them in what their hash covers.
 * `unexpected`: events that deleted something after the first expected head, and are none of the expected ones.
 */
export type HistoryCheck =
  | (Head & {
      kind: "intact";
      anchor?: Anchor;
      forgotten?: number;
      unproven?: number;
      unexpected?: readonly Deletion[];
    })
  | Broken;

/** An entry that says that older ones, or texts, were deleted. */
export type Deletion = Head & { readonly event: string };

/** The first break; `sequence` is null where a whole part is missing. */
interface Broken {
  readonly kind: "broken";
  readonly sequence: number | null;
  readonly changeId: string | null;
  readonly reason: string;
}

export function describeBreak({ sequence, changeId, reason }: Broken): string {
  const place = sequence === null ? "at its end" : `at transition ${sequence}`;
  return `The history is broken ${place}${changeId === null ? "" : ` (change ${changeId})`}: ${reason}.`;
}

/** Called again and again during long work: which part of it, how much of that is done, and out of how much. */
export type OnProgress = (part: string, done: number, total: number) => void;

/**
 * Checks every hash, every link, and every change against its history. A broken chain is reported before any contradiction:
 * only an intact chain proves that the change was altered. The chain alone cannot show that its end was cut off and its head
 * set back; comparing it with earlier heads, kept elsewhere, does. Who can write to the database can write a deletion, too.
 */
export async function verifyHistory(
  db: Kysely<Database>,
  expected: readonly Head[] = [],
  onProgress?: OnProgress,
): Promise<HistoryCheck> {
  const total = onProgress && (await headOf(db))?.length;
  const anchor = await anchorOf(db);
  let [length, hash, decisions, notices] = [anchor.through, anchor.anchor, 0, 0];
  let [forgotten, unproven] = [0, 0];
  let firstContradiction: Broken | undefined;
  const found = new Map([[length, hash]]);
  const wanted = new Set(expected.map((head) => head.length));
  const unexpected: Deletion[] = [];
  for await (const batch of transitionsOf(db)) {
    const changes = await changesOf(db, batch);
    for (const row of batch) {
      const isKept = row.sequence <= anchor.through;
      const reason = alteredContent(row) ?? (isKept ? undefined : await brokenLink(db, row, hash));
      if (reason) return brokenAt(row, reason);
      const mismatch = contradiction(row, changes);
      if (mismatch) firstContradiction ??= brokenAt(row, mismatch);
      if (!isKept) [length, hash] = [length + 1, row.hash];
      if (wanted.has(row.sequence)) found.set(row.sequence, row.hash);
      const then = row.change_id === null ? anchorIn(row) : undefined;
      // An anchor that was kept elsewhere, from before the one in force.
      if (then && !found.has(then.through)) found.set(then.through, then.anchor);
      if (then && row.sequence > Math.min(...wanted) && !wanted.has(row.sequence))
        unexpected.push({ event: row.state, length: row.sequence, hash: row.hash });
      if (row.forgotten !== null) forgotten++;
      if (row.forgotten !== null && !isHashed(row)) unproven++;
      if (contentOf(row)?.decision) decisions++;
      if (contentOf(row)?.notified) notices++;
    }
    onProgress?.("Transitions checked", length, total ?? length);
  }
  return (
    (await brokenEnd(db, length, hash)) ??
    (await brokenSeal(db, anchor)) ??
    expected.map((head) => brokenSince(head, length, found.get(head.length))).find((broken) => broken !== undefined) ??
    firstContradiction ??
    (await unknownChange(db)) ??
    (await unknownRow(db, "decision", decisions, "decisions of approvers")) ??
    (await unknownRow(db, "notice", notices, "notices to account owners")) ?? {
      ...{ kind: "intact", length, hash },
      ...(anchor.pruned > 0 && { anchor }),
      ...(forgotten > 0 && { forgotten, unproven }),
      ...(unexpected.length > 0 && { unexpected }),
    }
  );
}

const brokenAt = ({ sequence, change_id: changeId }: TransitionTable, reason: string): Broken => ({
  kind: "broken",
  sequence,
  changeId,
  reason,
});

function alteredContent(row: TransitionTable): string | undefined {
  const { changeId, state, at, texts } = contentOf(row) ?? {};
  const isSame = (changeId ?? null) === row.change_id && state === row.state && at === row.at;
  const isProven = isHashed(row) && (row.texts_json === null ? undefined : sha256(row.texts_json)) === texts;
  // The seal has the hash over what is left.
  const isWhole = row.forgotten === null ? isProven : row.forgotten === leftHash(row);
  return isSame && isWhole ? undefined : "its content was altered";
}

const isHashed = (row: TransitionTable): boolean => row.hash === hashOf(row.previous_hash, row.content_json);

/** The fault of a row's place after the row with this hash. */
async function brokenLink(db: Kysely<Database>, row: TransitionTable, previous: string): Promise<string | undefined> {
  if (row.previous_hash === previous) return undefined;
  const followed = db.selectFrom("transition").select("sequence").where("hash", "=", row.previous_hash);
  const place = row.previous_hash === beginning ? { sequence: 0 } : await followed.executeTakeFirst();
  return place
    ? `it belongs after transition ${place.sequence}: rows were added or reordered`
    : "the transition before it is missing or was altered";
}

/** Undefined for content that Curfew did not write. */
function contentOf(row: TransitionTable): HistoryContent | undefined {
  try {
    return contentIn(row);
  } catch {
    return undefined;
  }
}

interface StoredChange {
  readonly row: Selectable<ChangeTable>;
  readonly decisions: readonly Selectable<DecisionTable>[];
  readonly notices: readonly Selectable<NoticeTable>[];
  readonly lastSequence: number | undefined;
}

async function changesOf(
  db: Kysely<Database>,
  batch: readonly TransitionTable[],
): Promise<ReadonlyMap<string, StoredChange>> {
  const ids = [...new Set(batch.flatMap(({ change_id: id }) => id ?? []))];
  if (ids.length === 0) return new Map();
  const last = await lastSequences(db, ids);
  const rows = await db.selectFrom("change").selectAll().where("id", "in", ids).execute();
  const decided = await db.selectFrom("decision").selectAll().where("change_id", "in", ids).execute();
  const notified = await db.selectFrom("notice").selectAll().where("change_id", "in", ids).execute();
  return new Map(
    rows.map((row) => {
      const decisions = decided.filter(({ change_id: id }) => id === row.id);
      const notices = notified.filter(({ change_id: id }) => id === row.id);
      return [row.id, { row, decisions, notices, lastSequence: last.get(row.id) }];
    }),
  );
}

/** How a change's row differs from its history. */
function contradiction(link: TransitionTable, changes: ReadonlyMap<string, StoredChange>): string | undefined {
  if (link.change_id === null) return undefined;
  const stored = changes.get(link.change_id);
  if (!stored) return "the change itself is missing";
  const { row, decisions, notices, lastSequence } = stored;
  const { change, decision, notified, outcome } = contentOf(link) ?? {};
  const decided = decisions.find(({ approver_id: id }) => id === decision?.approverId);
  const notice = notices.find(({ user_id: id, about }) => id === notified?.userId && about === notified?.about);
  const recorded = [
    ...differences(change, recordedFacts(row)),
    ...(decision ? prefixed("decision", decision, decided && decisionFacts(decided)) : []),
    ...(notified ? prefixed("notice", notified, notice && noticeFacts(notice)) : []),
  ];
  if (lastSequence !== link.sequence) return alteredFields(recorded);
  const state = row.state === link.state ? [] : ["state"];
  return alteredFields([...recorded, ...differences(outcome, outcomeFacts(row)), ...state]);
}

type Facts = Readonly<Record<string, unknown>>;

/** Compares only the facts that the history has: later versions may record more. */
function differences(recorded: Facts = {}, found: object): string[] {
  const now = new Map<string, unknown>(Object.entries(found));
  return Object.keys(recorded).filter((name) => canonicalJson(recorded[name]) !== canonicalJson(now.get(name)));
}

/** Prefixed with the name of their table, unlike the fields of the change itself. */
const prefixed = (table: string, recorded: Facts, found: object | undefined): readonly string[] =>
  found ? differences(recorded, found).map((name) => `${table} ${name}`) : [table];

function alteredFields(names: readonly string[]): string | undefined {
  return names.length > 0 ? `the change itself was altered: ${names.join(", ")}` : undefined;
}

const headOf = (db: Kysely<Database>): Promise<Head | undefined> =>
  db.selectFrom("history_head").select(["length", "hash"]).executeTakeFirst();

/** Describes rows missing after the last one. */
async function brokenEnd(db: Kysely<Database>, length: number, hash: string): Promise<Broken | undefined> {
  const broken = { kind: "broken", sequence: null, changeId: null } as const;
  const head = await headOf(db);
  if (!head) return { ...broken, reason: "the head of the history is missing" };
  if (head.length === length && head.hash === hash) return undefined;
  return { ...broken, reason: `the head counts ${head.length} transitions, but there are ${length}` };
}

/** What the chain alone does not prove must be what it was when the anchor was recorded. */
async function brokenSeal(db: Kysely<Database>, { through, kept, seal }: Anchor): Promise<Broken | undefined> {
  const found = await sealOf(db, through);
  if (found.seal === seal) return undefined;
  const reason = `entries left from before the anchor, or without forgotten texts, are not those of its seal: ${kept} then, ${found.kept} now`;
  return { kind: "broken", sequence: null, changeId: null, reason };
}

/** How the history differs from the one with this earlier head, or anchor; `found` is the hash at that place now. */
function brokenSince({ length: was, hash }: Head, length: number, found: string | undefined): Broken | undefined {
  if (found === hash) return undefined;
  const broken = { kind: "broken", changeId: null } as const;
  const lost = "it was pruned since, so nothing is left to compare with: give a later one";
  if (found === undefined && was < length) return { ...broken, sequence: was, reason: lost };
  const cut = was - length;
  if (cut <= 0) return { ...broken, sequence: was, reason: "it, or one before it, is not the expected one" };
  const reason = `it had ${was} transitions and now has ${length}: at least ${cut} ${cut === 1 ? "was" : "were"} cut off`;
  return { ...broken, sequence: null, reason };
}

async function unknownChange(db: Kysely<Database>): Promise<Broken | undefined> {
  const unknown = await db
    .selectFrom("change")
    .select("id")
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom("transition").select("sequence").whereRef("transition.change_id", "=", "change.id"))),
    )
    .executeTakeFirst();
  const reason = "this change is missing from the history";
  return unknown && { kind: "broken", sequence: null, changeId: unknown.id, reason };
}

/** Every such row in the history was found already, so one more is one that the history lacks. */
async function unknownRow(
  db: Kysely<Database>,
  table: "decision" | "notice",
  recorded: number,
  what: string,
): Promise<Broken | undefined> {
  const { there } = await db
    .selectFrom(table)
    .select((select) => select.fn.countAll().as("there"))
    .executeTakeFirstOrThrow();
  if (Number(there) === recorded) return undefined;
  const reason = `the history has ${recorded} ${what}, but there are ${there}`;
  return { kind: "broken", sequence: null, changeId: null, reason };
}
