import { createHash } from "node:crypto";
import { type Kysely, type Selectable, sql } from "kysely";
import { z } from "zod";
import {
  type Approval,
  type ApproverDecision,
  type Change,
  type ChangeState,
  changeStates,
  isCreation,
  isOver,
  type Notice,
  ownOperations,
  type Verification,
} from "../../changes/change.ts";
import { isSeries } from "../../changes/steps/series.ts";
import { plannedStart, type Thread } from "../../commands/command.ts";
import { entityKind, entityKinds } from "../../directory/directory.ts";
import { type ChangeOperation, isOperationName, operations } from "../../service/operations.ts";
import type { ChangeTable, Database, DecisionTable, NoticeTable } from "../db/database.ts";
import { grouped } from "../db/read-rows.ts";
import { canonicalJson } from "../history/history-chain.ts";
import { decisionFacts, noticeFacts, requestFacts } from "../history/history-facts.ts";

const subjectKindSchema = z.enum(entityKinds);
const changeState = z.enum(changeStates);
const verdict = z.enum(["approved", "denied"]);
const noticeAbout = z.enum(["asked", "made"]);
const jsonObject = z.record(z.string(), z.unknown());

const changeOperation = z.union([
  z.enum(ownOperations),
  z.custom<ChangeOperation>(
    (name) => typeof name === "string" && isOperationName(name) && operations[name].effect !== "read",
  ),
]);

const approval: z.ZodType<Approval> = z.object({
  rule: z.string(),
  approvers: z.array(z.object({ role: z.string(), members: z.array(z.string()) })),
  count: z.int(),
  channelId: z.string(),
  expiresAt: z.int(),
  effect: z.array(z.string()),
  beyond: z.object({ how: z.enum(["over", "outside"]), what: z.string() }).optional(),
  heldMs: z.number().optional(),
  because: z.array(z.string()).optional(),
  except: z.array(z.object({ userId: z.string(), name: z.string() })).optional(),
});

export const thread: z.ZodType<Thread> = z.object({ channelId: z.string(), ts: z.string() });

const verification: z.ZodType<Verification> = z.object({
  how: z.enum(["read", "repeated", "seen"]),
  by: z.object({ userId: z.string(), name: z.string() }).nullable(),
});

/** Reads a stored change. Throws for a row that this version cannot read. */
export function changeOf(
  row: Selectable<ChangeTable>,
  decisions: readonly Selectable<DecisionTable>[],
  notices: readonly Selectable<NoticeTable>[] = [],
  children?: readonly Change[],
): Change {
  const subjectKind = subjectKindSchema.parse(row.subject_kind);
  return {
    id: row.id,
    idempotencyKey: row.idempotency_key,
    ...requestFacts(row),
    operation: changeOperation.parse(row.operation),
    state: changeState.parse(row.state),
    input: jsonObject.parse(JSON.parse(row.input_json)),
    request: jsonObject.parse(JSON.parse(row.request_json)),
    before: row.before_json === null ? null : entityKind(subjectKind).schema.parse(JSON.parse(row.before_json)),
    answer: row.answer_json === null ? null : JSON.parse(row.answer_json),
    subjectKind,
    subjectId: row.subject_id,
    approval: approvalOf(row),
    decisions: decisions.map(decisionOf),
    notices: notices.map(noticeOf),
    error: row.error_code === null ? null : { code: row.error_code, message: row.error_message ?? "" },
    note: row.note,
    verified: row.verified_json === null ? null : verification.parse(JSON.parse(row.verified_json)),
    settledAt: row.settled_at,
    ...(row.execution_id === null ? {} : { executionId: row.execution_id }),
    ...(row.parent_id === null ? {} : { parentId: row.parent_id }),
    ...(row.asked_in_json === null ? {} : { askedIn: thread.parse(JSON.parse(row.asked_in_json)) }),
    ...(children ? { children } : {}),
  };
}

/** The requested approval. Throws like `changeOf`. */
export function approvalOf({ approval_json: json }: Pick<ChangeTable, "approval_json">): Approval | null {
  return json === null ? null : approval.parse(JSON.parse(json));
}

function decisionOf(row: Selectable<DecisionTable>): ApproverDecision {
  return { ...decisionFacts(row), verdict: verdict.parse(row.verdict) };
}

function noticeOf(row: Selectable<NoticeTable>): Notice {
  return { ...noticeFacts(row), about: noticeAbout.parse(row.about) };
}

export function isReadable(row: Selectable<ChangeTable>): boolean {
  try {
    changeOf(row, []);
    return true;
  } catch {
    return false;
  }
}

export function rowOf(change: Change): ChangeTable {
  return {
    id: change.id,
    idempotency_key: change.idempotencyKey,
    words: change.words,
    operation: change.operation,
    state: change.state,
    input_json: JSON.stringify(change.input),
    request_json: JSON.stringify(change.request),
    before_json: jsonOrNull(change.before),
    answer_json: jsonOrNull(change.answer),
    subject_kind: change.subjectKind,
    subject_id: change.subjectId,
    actor_team: change.actor.teamId,
    actor_id: change.actor.userId,
    actor_name: change.actor.name,
    actor_zone: change.actor.timeZone,
    channel_id: change.channelId,
    reason: change.reason,
    undoes: change.undoes,
    role: change.role,
    rule: change.rule,
    error_code: change.error?.code ?? null,
    error_message: change.error?.message ?? null,
    note: change.note,
    verified_json: jsonOrNull(change.verified),
    requested_at: change.requestedAt,
    settled_at: change.settledAt,
    approval_json: jsonOrNull(change.approval),
    performer: null,
    once_key: onceKeyOf(change),
    parent_id: change.parentId ?? null,
    execution_id: change.executionId ?? null,
    asked_in_json: jsonOrNull(change.askedIn),
  };
}

export function jsonOrNull(value: unknown): string | null {
  return value === null || value === undefined ? null : JSON.stringify(value);
}

/**
 * Unique among open changes: one undo per change, one identical request per person awaiting approval, one identical creation per
 * person, unless they said that they want another.
 */
export function onceKeyOf(change: Change): string | null {
  const { undoes, approval, actor, words, request, input } = change;
  if (undoes !== null) return `undo:${undoes}`;
  const startsAt = plannedStart(input);
  const when = startsAt === undefined ? {} : { startsAt };
  const isNew = isCreation(change) && input.another !== true;
  if (isNew) return `${creationKey}${actor.userId}:${hashOf({ words, request: withoutEnd(request), ...when })}`;
  return approval === null ? null : `request:${actor.userId}:${hashOf({ words, request, ...when })}`;
}

const creationKey = "create:";

/** "For 30 h", said again a minute later, has another end, as have its parts. */
const withoutEnd = (request: object): object =>
  Object.fromEntries(Object.entries(request).filter(([name]) => name !== "expiryDate" && name !== "steps"));

const hashOf = (what: object): string => createHash("sha256").update(canonicalJson(what)).digest("hex");

/**
 * A change that is over frees its key, so the same can be requested again. A successful undo keeps it, and a creation whose outcome
 * is unknown, so that a repeat asks about that first.
 */
export function onceKeyIn(state: ChangeState) {
  if (!isOver(state)) return {};
  if (state === "unknown") {
    const isKept = sql`once_key like ${sql.lit(`${creationKey}%`)}`;
    return { once_key: sql<string | null>`case when ${isKept} then once_key else null end` };
  }
  if (state !== "succeeded") return { once_key: null };
  return { once_key: sql<string | null>`case when undoes is null then null else once_key end` };
}

type Row = Selectable<ChangeTable>;

/** Gives each of these changes with its decisions, its notices and its steps. Throws for a row that this version cannot read. */
export async function changeReader(db: Kysely<Database>, rows: readonly Row[]): Promise<(row: Row) => Change> {
  const idsOf = (isWanted: (row: Row) => boolean) => rows.filter(isWanted).map(({ id }) => id);
  const [decisions, notices, steps] = await Promise.all([
    decisionsOf(
      db,
      idsOf(({ approval_json: approval }) => approval !== null),
    ),
    // Only users' accounts have owners to notify.
    noticesOf(
      db,
      idsOf(({ subject_kind: kind }) => kind === "user"),
    ),
    stepsOf(db, idsOf(mayHaveSteps)),
  ]);
  return (row) => {
    // A step is never decided on by itself.
    const hasSteps = mayHaveSteps(row) && isSeries({ words: row.words, request: JSON.parse(row.request_json) });
    const children = hasSteps ? steps(row.id).map((step) => changeOf(step, [])) : undefined;
    return changeOf(row, decisions(row.id), notices(row.id), children);
  };
}

/** Only what may be a series is parsed for it: this is asked for each row. */
const mayHaveSteps = ({ request_json: request }: Row) => request.includes('"steps":[');

export async function readChange(db: Kysely<Database>, row: Row | undefined): Promise<Change | undefined> {
  return row && (await changeReader(db, [row]))(row);
}

async function decisionsOf(db: Kysely<Database>, ids: readonly string[]) {
  if (ids.length === 0) return () => [];
  const all = db.selectFrom("decision").selectAll().where("change_id", "in", ids);
  return grouped(await all.orderBy("at").orderBy("approver_id").execute(), ({ change_id }) => change_id);
}

async function noticesOf(db: Kysely<Database>, ids: readonly string[]) {
  if (ids.length === 0) return () => [];
  const all = db.selectFrom("notice").selectAll().where("change_id", "in", ids);
  return grouped(await all.orderBy("at").orderBy("user_id").orderBy("about").execute(), ({ change_id }) => change_id);
}

/** In the order in which they were begun. */
async function stepsOf(db: Kysely<Database>, ids: readonly string[]) {
  if (ids.length === 0) return () => [];
  const rows = await db
    .selectFrom("change")
    .selectAll()
    .where("parent_id", "in", ids)
    .orderBy((change) =>
      change
        .selectFrom("transition")
        .select(({ fn }) => fn.min("transition.sequence").as("sequence"))
        .whereRef("transition.change_id", "=", "change.id"),
    )
    .execute();
  return grouped(rows, ({ parent_id }) => parent_id ?? "");
}
