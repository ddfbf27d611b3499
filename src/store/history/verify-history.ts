import type { Kysely, Selectable } from "kysely";
import type { ChangeTable, Database, DecisionTable, TransitionTable } from "../db/database.ts";
import { beginning, canonicalJson, type HistoryContent, hashOf, historyContent } from "./history-chain.ts";
import { decisionFacts, outcomeFacts, recordedFacts } from "./history-facts.ts";
import { lastSequences, transitionsAfter } from "./transition-table.ts";

/** Where a history ends: how many transitions it has, and the hash of the last. */
export interface Head {
  readonly length: number;
  readonly hash: string;
}

export type HistoryCheck = ({ readonly kind: "intact" } & Head) | Broken;

/** The first place where it does not hold; `sequence` is null where a whole part of it is missing. */
interface Broken {
  readonly kind: "broken";
  readonly sequence: number | null;
  readonly changeId: string | null;
  readonly reason: string;
}

type Row = Selectable<TransitionTable>;

const batchSize = 500;

/**
 * Walks the whole history: every hash, every link, and every change as against what the history says of it. A break of the
 * chain is told before any contradiction, since only a chain that holds shows that it is the change that was altered. What a chain cannot show by itself, that its end was cut and its
 * head set back, shows against an earlier head that was kept elsewhere.
 */
export async function verifyHistory(db: Kysely<Database>, earlier?: Head): Promise<HistoryCheck> {
  let [length, hash, sequence, decisions] = [0, beginning, 0, 0];
  let contradicted: Broken | undefined;
  let earlierHash = earlier?.length === 0 ? beginning : undefined;
  for (;;) {
    const batch = await transitionsAfter(db, { sequence, limit: batchSize });
    const changes = await changesOf(db, batch);
    for (const row of batch) {
      const reason = await brokenLink(db, row, hash);
      if (reason) return brokenAt(row, reason);
      const doubt = contradiction(row, changes);
      if (doubt) contradicted ??= brokenAt(row, doubt);
      [length, hash, sequence] = [length + 1, row.hash, row.sequence];
      if (length === earlier?.length) earlierHash = hash;
      if (contentOf(row)?.decision) decisions++;
    }
    if (batch.length === batchSize) continue;
    return (
      (await brokenEnd(db, length, hash)) ??
      (earlier && brokenSince(earlier, length, earlierHash)) ??
      contradicted ??
      (await unknownChange(db)) ??
      (await unknownDecision(db, decisions)) ?? { kind: "intact", length, hash }
    );
  }
}

const brokenAt = ({ sequence, change_id: changeId }: Row, reason: string): Broken => ({
  kind: "broken",
  sequence,
  changeId,
  reason,
});

/** What is wrong with a row itself, or with its place behind the row with this hash. */
async function brokenLink(db: Kysely<Database>, row: Row, previousHash: string): Promise<string | undefined> {
  if (row.hash !== hashOf(row.previous_hash, row.content_json)) return "what it says was altered";
  const { changeId, state, at } = contentOf(row) ?? {};
  if (changeId !== row.change_id || state !== row.state || at !== row.at) return "what it says was altered";
  if (row.previous_hash === previousHash) return undefined;
  const followed = db.selectFrom("transition").select("sequence").where("hash", "=", row.previous_hash);
  const place = row.previous_hash === beginning ? { sequence: 0 } : await followed.executeTakeFirst();
  return place
    ? `it belongs behind transition ${place.sequence}: rows were added or put in another order`
    : "the transition before it is missing or was altered";
}

/** Undefined for what Curfew never wrote. */
function contentOf({ content_json: text }: Row): HistoryContent | undefined {
  try {
    return historyContent.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

interface KnownChange {
  readonly row: Selectable<ChangeTable>;
  readonly decisions: readonly Selectable<DecisionTable>[];
  readonly lastSequence: number | undefined;
}

async function changesOf(db: Kysely<Database>, batch: readonly Row[]): Promise<ReadonlyMap<string, KnownChange>> {
  const ids = [...new Set(batch.map(({ change_id: id }) => id))];
  if (ids.length === 0) return new Map();
  const last = await lastSequences(db, ids);
  const rows = await db.selectFrom("change").selectAll().where("id", "in", ids).execute();
  const decided = await db.selectFrom("decision").selectAll().where("change_id", "in", ids).execute();
  return new Map(
    rows.map((row) => {
      const decisions = decided.filter(({ change_id: id }) => id === row.id);
      return [row.id, { row, decisions, lastSequence: last.get(row.id) }];
    }),
  );
}

/** How the change's own row differs from what its history says. */
function contradiction(link: Row, changes: ReadonlyMap<string, KnownChange>): string | undefined {
  const known = changes.get(link.change_id);
  if (!known) return "the change itself is missing";
  const { row, decisions, lastSequence } = known;
  const content = contentOf(link);
  const recorded = [
    ...differences(content?.change, recordedFacts(row)),
    ...decisionDifferences(content?.decision, decisions),
  ];
  if (lastSequence !== link.sequence) return told(recorded);
  const state = row.state === link.state ? [] : ["state"];
  return told([...recorded, ...differences(content?.outcome, outcomeFacts(row)), ...state]);
}

/** Only what the history knows is compared: later versions may keep more of a change. */
function differences(said: Readonly<Record<string, unknown>> = {}, found: object): string[] {
  const now = new Map<string, unknown>(Object.entries(found));
  return Object.keys(said).filter((name) => canonicalJson(said[name]) !== canonicalJson(now.get(name)));
}

/** Named as the decision's, so that they are not taken for the change's own. */
function decisionDifferences(
  said: HistoryContent["decision"],
  decisions: readonly Selectable<DecisionTable>[],
): readonly string[] {
  if (said === undefined) return [];
  const found = decisions.find(({ approver_id: id }) => id === said.approverId);
  return found ? differences(said, decisionFacts(found)).map((name) => `decision ${name}`) : ["decision"];
}

function told(names: readonly string[]): string | undefined {
  return names.length > 0 ? `the change itself was altered: ${names.join(", ")}` : undefined;
}

/** What is missing behind the last row. */
async function brokenEnd(db: Kysely<Database>, length: number, hash: string): Promise<Broken | undefined> {
  const broken = { kind: "broken", sequence: null, changeId: null } as const;
  const head = await db.selectFrom("history_head").selectAll().executeTakeFirst();
  if (!head) return { ...broken, reason: "the head, which says where the history ends, is missing" };
  if (head.length === length && head.hash === hash) return undefined;
  return { ...broken, reason: `the head tells of ${head.length} transitions, and ${length} are there` };
}

/** How the history differs from what it was when it had this head; `found` is the hash at that place now. */
function brokenSince({ length: was, hash }: Head, length: number, found: string | undefined): Broken | undefined {
  if (found === hash) return undefined;
  const broken = { kind: "broken", changeId: null } as const;
  const cut = was - length;
  if (cut <= 0) return { ...broken, sequence: was, reason: "it, or one before it, is not the one expected" };
  const reason = `it had ${was} transitions and has ${length}: at least ${cut} ${cut === 1 ? "was" : "were"} cut off`;
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
  const reason = "the history does not know this change";
  return unknown && { kind: "broken", sequence: null, changeId: unknown.id, reason };
}

/** As many as the history tells of were found already, so that one more is one that it does not know. */
async function unknownDecision(db: Kysely<Database>, known: number): Promise<Broken | undefined> {
  const { there } = await db
    .selectFrom("decision")
    .select((select) => select.fn.countAll().as("there"))
    .executeTakeFirstOrThrow();
  if (Number(there) === known) return undefined;
  const reason = `the history tells of ${known} decisions of approvers, and ${there} are there`;
  return { kind: "broken", sequence: null, changeId: null, reason };
}
