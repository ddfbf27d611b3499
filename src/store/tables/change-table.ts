import type { ExpressionBuilder, Kysely, Selectable, Transaction } from "kysely";
import { z } from "zod";
import { type Change, changeStates, type Settlement } from "../../changes/change.ts";
import { NotPerformingError } from "../../changes/perform/record-outcome.ts";
import { interruptedCode } from "../../changes/perform/recover.ts";
import type { ChangeStore, Effects } from "../../changes/ports.ts";
import type { ChangeTable, Database, Db } from "../db/database.ts";
import { prepared } from "../db/prepared.ts";
import { type OnUnreadable, readRows } from "../db/read-rows.ts";
import { outcomeFacts, recordedFacts } from "../history/history-facts.ts";
import { decisionsOf } from "./approval-store.ts";
import { latestChanges, requesters } from "./change-filter.ts";
import { changeOf, isReadable, jsonOrNull, onceKeyIn, rowOf } from "./change-row.ts";
import { abandonedChanges, type Instances, isAbandoned } from "./instance-table.ts";
import { recordTransition } from "./record-transition.ts";

const changeState = z.enum(changeStates);

/** This instance becomes the performer of changes that begin here. */
export function createChangeStore(db: Db, instances: Instances, onUnreadable: OnUnreadable): ChangeStore {
  const instance = instances.id;
  const readable = async (rows: readonly Selectable<ChangeTable>[]) => {
    const decisions = await decisionsOf(db, rows);
    return readRows("change", rows, (row) => changeOf(row, decisions.get(row.id) ?? []), onUnreadable);
  };
  return {
    begin: (change, effects = {}) => db.transaction().execute((trx) => begin(trx, instance, change, effects)),
    actedOn: (idempotencyKey) => actedOn(db, idempotencyKey),
    settle: (id, settlement, effects = {}) =>
      db.transaction().execute((trx) => settle(trx, instance, ownChange(instance), id, settlement, effects)),
    settleAbandoned: (id, settlement, effects = {}) =>
      db.transaction().execute((trx) => settle(trx, instance, abandonedChange(instances), id, settlement, effects)),
    find: async (id) => {
      const row = await db.selectFrom("change").selectAll().where("id", "=", id).executeTakeFirst();
      return row && withDecisions(db, row);
    },
    list: async (filter) => readable(await latestChanges(db, filter)),
    requesters: () => requesters(db),
    transitions: async (id) => {
      const rows = await db
        .selectFrom("transition")
        .select(["state", "at"])
        .where("change_id", "=", id)
        .orderBy("sequence")
        .execute();
      return rows.map(({ state, at }) => ({ state: changeState.parse(state), at }));
    },
    waiting: async () => {
      const rows = await db
        .selectFrom("change")
        .selectAll()
        .where("state", "in", ["awaiting-approval", "approved"])
        .where("settled_at", "is", null)
        .orderBy("requested_at")
        .orderBy("id")
        .execute();
      return readable(rows);
    },
    abandoned: async () => {
      await instances.observe();
      return readable(await abandonedChanges(db, instances).execute());
    },
    unreadableAbandoned: async () => {
      const rows = (await abandonedChanges(db, instances).execute()).filter((row) => !isReadable(row));
      return rows.map((row) => ({ id: row.id, subjectId: row.subject_id }));
    },
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

function succeededAbout(db: Db, kind: string, subjectId: string) {
  return db
    .selectFrom("change")
    .selectAll()
    .where("subject_kind", "=", kind)
    .where("subject_id", "=", subjectId)
    .where("state", "=", "succeeded");
}

/** By history: the request time ignores approvals, and a clock may be set. */
function inOrder(query: ReturnType<typeof succeededAbout>, order: "asc" | "desc") {
  return query
    .orderBy(lastTransition, order)
    .orderBy("settled_at", order)
    .orderBy("requested_at", order)
    .orderBy("id", order);
}

function lastTransition(row: ExpressionBuilder<Database, "change">) {
  return row
    .selectFrom("transition")
    .select((transition) => transition.fn.max("transition.sequence").as("sequence"))
    .whereRef("transition.change_id", "=", "change.id");
}

/**
 * A repeat returns the earlier change, also one with the same once key. Only after a failure, when nothing was altered, a repeat
 * is a new attempt.
 */
async function begin(
  trx: Transaction<Database>,
  instance: string,
  change: Change,
  effects: Effects,
): Promise<Change | undefined> {
  const row = { ...rowOf(change), performer: instance };
  for (let attempt = 1; ; attempt++) {
    const idempotencyKey = attemptKey(change.idempotencyKey, attempt);
    const [inserted] = await insertChange(trx, { ...row, idempotency_key: idempotencyKey });
    if (inserted) {
      const { id: changeId, state, requestedAt: at } = change;
      await recordTransition(trx, instance, { changeId, state, at, facts: { change: recordedFacts(row) } }, effects);
      return undefined;
    }
    const earlier =
      (await withKey(trx, "idempotency_key", idempotencyKey)) ?? (await withKey(trx, "once_key", row.once_key));
    if (!earlier) throw new Error(`could not record ${change.id}: the conflicting change is gone; try again`);
    if (earlier.state !== "failed") return earlier;
  }
}

const insertChange = prepared((db, row: ChangeTable) =>
  db
    .insertInto("change")
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returning("id"),
);

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
  const [row] = await changeWithKey(db, { key }, column);
  return row && withDecisions(db, row);
}

const changeWithKey = prepared((db, { key }: { readonly key: string | null }, column) =>
  db
    .selectFrom("change")
    .selectAll()
    .where(column === "once_key" ? "once_key" : "idempotency_key", "=", key),
);

async function withDecisions(db: Kysely<Database>, row: Selectable<ChangeTable>): Promise<Change> {
  return changeOf(row, (await decisionsOf(db, [row])).get(row.id) ?? []);
}

async function settle(
  trx: Transaction<Database>,
  instance: string,
  update: UpdateChange,
  id: string,
  settlement: Settlement,
  effects: Effects,
): Promise<void> {
  const { state, answer, subjectId, error, note, settledAt } = settlement;
  const outcome = {
    answer_json: jsonOrNull(answer),
    subject_id: subjectId,
    error_code: error?.code ?? null,
    error_message: error?.message ?? null,
    note,
    settled_at: settledAt,
  };
  const updated = await update(trx, id, { state, ...outcome });
  if (updated.length === 0) throw new NotPerformingError(id);
  const facts = { outcome: outcomeFacts(outcome) };
  await recordTransition(trx, instance, { changeId: id, state, at: settledAt, facts }, effects);
}

type Outcome = Omit<Partial<ChangeTable>, "state"> & Pick<Settlement, "state">;
/** Returns the id if the change may be settled this way. */
type UpdateChange = (trx: Transaction<Database>, id: string, outcome: Outcome) => Promise<readonly { id: string }[]>;

/** An instance that others took for gone may still replace `unknown` with what it knows. */
const ownChange =
  (instance: string): UpdateChange =>
  (trx, id, outcome) =>
    updateOwn(trx, { id, instance, ...outcome }, outcome.state);

/** `variant`: the state. */
const updateOwn = prepared(
  (db, { id, instance, ...outcome }: Outcome & { readonly id: string; readonly instance: string }, variant) =>
    db
      .updateTable("change")
      .set({ ...outcome, ...onceKeyIn(z.enum(changeStates).parse(variant)) })
      .where("id", "=", id)
      .where("performer", "=", instance)
      .where((column) =>
        column.or([column("state", "=", "performing"), column.and({ state: "unknown", error_code: interruptedCode })]),
      )
      .returning("id"),
);

const abandonedChange =
  (instances: Instances): UpdateChange =>
  (trx, id, outcome) =>
    trx
      .updateTable("change")
      .set({ ...outcome, ...onceKeyIn(outcome.state) })
      .where("id", "=", id)
      .where(isAbandoned(trx, instances))
      .returning("id")
      .execute();
