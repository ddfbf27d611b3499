import type { Expression, ExpressionBuilder, Kysely, Selectable, SqlBool, Transaction } from "kysely";
import { z } from "zod";
import { type Change, type ChangeState, changeStates, type Move, type Settlement } from "../../changes/change.ts";
import { interruptedCode, NotPerformingError } from "../../changes/perform/record-outcome.ts";
import { PlanGoneError, replacedBy } from "../../changes/planned/replace-plan.ts";
import type { ChangeStore, Effects } from "../../changes/ports.ts";
import { type ChangeTable, type Database, type Db, isSameId, type TransitionTable } from "../db/database.ts";
import { type OnUnreadable, readRows } from "../db/read-rows.ts";
import { transact } from "../db/transact.ts";
import { historyContent, type Transition } from "../history/history-chain.ts";
import { outcomeFacts, recordedFacts } from "../history/history-facts.ts";
import { move, recordTransition } from "./approval-store.ts";
import { latestChanges, requesters } from "./change-filter.ts";
import { changeReader, isReadable, jsonOrNull, onceKeyIn, readChange, rowOf } from "./change-row.ts";
import { abandonedChanges, type Instances, isAbandoned } from "./instance-table.ts";

const changeState = z.enum(changeStates);

/** This instance becomes the performer of changes that begin here. */
export function createChangeStore(db: Db, instances: Instances, onUnreadable: OnUnreadable): ChangeStore {
  const instance = instances.id;
  const readable = async (rows: readonly Selectable<ChangeTable>[]) => {
    const read = await changeReader(db, rows);
    return readRows("change", rows, read, onUnreadable);
  };
  return {
    begin: (change, effects = {}) => begin(db, instance, change, effects),
    actedOn: (key) => actedOn(db, key),
    settle: (id, settlement, effects = {}, from = "any") =>
      transact(db, (trx) => settle(trx, instance, ownChange(instance, from), id, settlement, effects)),
    settleAbandoned: (id, settlement, effects = {}) =>
      transact(db, (trx) => settle(trx, instance, isAbandoned(instances), id, settlement, effects)),
    settleUnknown: (id, settlement, effects = {}) =>
      transact(db, (trx) => settle(trx, instance, unknownChange, id, settlement, effects)),
    find: async (id) =>
      readChange(db, await db.selectFrom("change").selectAll().where("id", "=", id).executeTakeFirst()),
    list: async (filter) => readable(await latestChanges(db, filter)),
    requesters: () => requesters(db),
    transitions: async (id) => {
      const rows = await db
        .selectFrom("transition")
        .select(["state", "at", "content_json"])
        .where("change_id", "=", id)
        .orderBy("sequence")
        .execute();
      return rows.filter(isNoNotice).map(({ state, at }) => ({ state: changeState.parse(state), at }));
    },
    waiting: async () => readable(await openChanges(db, ["awaiting-approval", "approved"])),
    planned: async () => readable(await openChanges(db, ["planned"])),
    openOf: async (userId, since) => readable(await openOrUnsure(db, userId, since).execute()),
    abandoned: async () => {
      await instances.observe();
      return readable(await abandonedChanges(db, instances).execute());
    },
    unreadableAbandoned: async () => {
      const rows = (await abandonedChanges(db, instances).execute()).filter((row) => !isReadable(row));
      return rows.map((row) => ({ id: row.id, subjectId: row.subject_id }));
    },
    recentAbout: async (kind, subjectId, since) => readable(await recentlyAbout(db, kind, subjectId, since).execute()),
    about: async (kind, subjectId) => readable(await inOrder(succeededAbout(db, kind, subjectId), "asc").execute()),
    lastAbout: async (kind, subjectId) => {
      const rows = await inOrder(succeededAbout(db, kind, subjectId), "desc")
        .limit(1)
        .execute();
      const [last] = await readable(rows);
      return last;
    },
  };
}

/** The changes in these states, none of which is final; oldest first. */
function openChanges(db: Db, states: readonly ChangeState[]) {
  return inStates(db, states).where("settled_at", "is", null).orderBy("requested_at").orderBy("id").execute();
}

const inStates = (db: Db, states: readonly ChangeState[]) =>
  db.selectFrom("change").selectAll().where("state", "in", states);

/** Each part by an index of its own: somebody may have asked for a great many changes. */
function openOrUnsure(db: Db, userId: string, since: number) {
  const open = inStates(db, ["awaiting-approval", "planned", "approved", "performing"])
    .where("settled_at", "is", null)
    .where("actor_id", "=", userId);
  const withoutId = inStates(db, ["unknown", "succeeded"])
    .where("subject_kind", "=", "exclusion")
    .where("subject_id", "is", null)
    .where("settled_at", ">=", since)
    .where("actor_id", "=", userId);
  const unknown = inStates(db, ["unknown"])
    .where("actor_id", "=", userId)
    .where("requested_at", ">=", since)
    .where("subject_id", "is not", null);
  return open.unionAll(withoutId).unionAll(unknown);
}

/** A notice to an account's owner comes at its own time and is no step of the change. */
function isNoNotice({ content_json: text }: Pick<TransitionTable, "content_json">): boolean {
  return historyContent.safeParse(JSON.parse(text)).data?.notified === undefined;
}

/** A change may have happened from its record on, unless it certainly failed. */
const recentlyAbout = (db: Db, kind: string, subjectId: string, since: number) =>
  inStates(db, ["succeeded", "unknown", "performing"])
    .where("subject_kind", "=", kind)
    .where(isSameId("subject_id", subjectId))
    .where(({ eb, fn }) => eb(fn.coalesce("settled_at", "requested_at"), ">", since));

const succeededAbout = (db: Db, kind: string, subjectId: string) =>
  inStates(db, ["succeeded", "partly"]).where("subject_kind", "=", kind).where(isSameId("subject_id", subjectId));

/** By history: the request time ignores approvals, and a clock may be set. A notice comes after the change, and does not count. */
function inOrder(query: ReturnType<typeof succeededAbout>, order: "asc" | "desc") {
  return query
    .orderBy(successOf, order)
    .orderBy("settled_at", order)
    .orderBy("requested_at", order)
    .orderBy("id", order);
}

function successOf(row: ExpressionBuilder<Database, "change">) {
  return row
    .selectFrom("transition")
    .select((transition) => transition.fn.min("transition.sequence").as("sequence"))
    .whereRef("transition.change_id", "=", "change.id")
    .where("transition.state", "in", ["succeeded", "partly"]);
}

/** Records a change made in the caller's transaction, with its outcome. */
export async function insertSettled(
  trx: Transaction<Database>,
  instance: string,
  change: Change,
  effects: Effects,
): Promise<void> {
  const row = rowOf(change);
  await trx.insertInto("change").values(row).execute();
  const { id: changeId, state, requestedAt: at } = change;
  const facts = { change: recordedFacts(row), outcome: outcomeFacts(row) };
  await recordTransition(trx, instance, { changeId, state, at, facts }, effects);
}

async function settle(
  trx: Transaction<Database>,
  instance: string,
  mayBeSettled: Condition,
  id: string,
  settlement: Settlement,
  effects: Effects,
): Promise<void> {
  const { state, answer, subjectId, error, note, verified, settledAt } = settlement;
  const outcome = {
    answer_json: jsonOrNull(answer),
    subject_id: subjectId,
    error_code: error?.code ?? null,
    error_message: error?.message ?? null,
    note,
    verified_json: jsonOrNull(verified),
    settled_at: settledAt,
  };
  const settled = await trx
    .updateTable("change")
    .set({ state, ...outcome, ...onceKeyIn(state) })
    .where("id", "=", id)
    .where(mayBeSettled)
    .returning("id")
    .executeTakeFirst();
  if (!settled) throw new NotPerformingError(id);
  const transition = { changeId: id, state, at: settledAt, facts: { outcome: outcomeFacts(outcome) } };
  await recordTransition(trx, instance, transition, effects);
}

/** Which changes may be settled this way. */
type Condition = (column: ExpressionBuilder<Database, "change">) => Expression<SqlBool>;

/** An instance that others took for gone may still replace `unknown` with what it knows. */
const ownChange =
  (instance: string, from: "performing" | "any"): Condition =>
  (column) =>
    column.and([
      column("performer", "=", instance),
      column.or([
        column("state", "=", "performing"),
        ...(from === "any" ? [column.and({ state: "unknown", error_code: interruptedCode })] : []),
      ]),
    ]);

const unknownChange: Condition = (column) => column("state", "=", "unknown");

/**
 * A repeat returns the earlier change, also one with the same once key. Only after a failure, when nothing was altered, a repeat
 * is a new attempt.
 */
async function begin(db: Db, instance: string, change: Change, effects: Effects): Promise<Change | undefined> {
  const row = { ...rowOf(change), performer: instance };
  const { id: changeId, state, requestedAt: at } = change;
  const transition = { changeId, state, at, facts: { change: recordedFacts(row) } };
  for (let attempt = 1; ; attempt++) {
    const idempotencyKey = attemptKey(change.idempotencyKey, attempt);
    const newRow = { row: { ...row, idempotency_key: idempotencyKey }, instance, transition, effects };
    if (await insertWithEffects(db, newRow)) return undefined;
    const earlier =
      (await withKey(db, "idempotency_key", idempotencyKey)) ?? (await withKey(db, "once_key", row.once_key));
    if (!earlier) throw new Error(`could not record ${changeId}: the conflicting change is gone; try again`);
    if (await isOutlived(db, earlier, at)) attempt -= 1;
    else if (earlier.state !== "failed") return earlier;
  }
}

const lasting = z.object({ expiryDate: z.iso.datetime() });

/** Whether an earlier creation stands in the way only because nobody knows its outcome, and would be over by now. Frees its key. */
async function isOutlived(db: Db, { id, state, request }: Change, now: number): Promise<boolean> {
  const endsAt = lasting.safeParse(request).data?.expiryDate;
  if (state !== "unknown" || endsAt === undefined || Date.parse(endsAt) > now) return false;
  const freed = await db
    .updateTable("change")
    .set({ once_key: null })
    .where("id", "=", id)
    .where("once_key", "is not", null)
    .returning("id")
    .execute();
  return freed.length > 0;
}

interface NewRow {
  readonly row: ChangeTable;
  readonly instance: string;
  readonly transition: Transition;
  readonly effects: Effects;
}

/** False for a repeat. */
async function insertWithEffects(db: Db, newRow: NewRow): Promise<boolean> {
  const inserting = transact(db, (trx) => insertIn(trx, newRow));
  return inserting.then(
    () => true,
    (error: unknown) => {
      if (error instanceof RepeatError) return false;
      throw error;
    },
  );
}

/** Undoes the transaction of a repeat. */
class RepeatError extends Error {}

async function insertIn(trx: Transaction<Database>, { row, instance, transition, effects }: NewRow): Promise<void> {
  const { replaces } = effects;
  // Withdrawn first: the plan in its place may differ in its end alone, and then has the same once key.
  const isWithdrawn =
    replaces === undefined || (await move(trx, instance, replaces, withdrawal(transition.at, row.id), {}));
  const inserted = trx
    .insertInto("change")
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returning("id");
  if (!(await inserted.executeTakeFirst())) throw new RepeatError();
  if (replaces !== undefined && !isWithdrawn) throw new PlanGoneError(replaces);
  await recordTransition(trx, instance, transition, effects);
}

const withdrawal = (at: number, changeId: string): Move => ({
  ...{ from: ["awaiting-approval", "planned"], to: "withdrawn", at },
  note: replacedBy(changeId),
});

/** The change with this key; undefined if there is none, or it failed and may be tried again. */
async function actedOn(db: Db, key: string): Promise<Change | undefined> {
  for (let attempt = 1; ; attempt++) {
    const earlier = await withKey(db, "idempotency_key", attemptKey(key, attempt));
    if (earlier?.state !== "failed") return earlier;
  }
}

function attemptKey(key: string, attempt: number): string {
  return attempt === 1 ? key : `${key}#${attempt}`;
}

async function withKey(
  db: Kysely<Database>,
  column: "idempotency_key" | "once_key",
  key: string | null,
): Promise<Change | undefined> {
  // Nothing equals null in SQL.
  return readChange(db, await db.selectFrom("change").selectAll().where(column, "=", key).executeTakeFirst());
}
