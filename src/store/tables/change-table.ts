import type { Expression, ExpressionBuilder, Selectable, SqlBool, Transaction } from "kysely";
import { z } from "zod";
import { type Change, type ChangeState, changeStates, type Settlement } from "../../changes/change.ts";
import { interruptedCode, NotPerformingError } from "../../changes/perform/record-outcome.ts";
import type { ChangeStore, Effects } from "../../changes/ports.ts";
import type { ChangeTable, Database, Db, TransitionTable } from "../db/database.ts";
import { type OnUnreadable, readRows } from "../db/read-rows.ts";
import { isSameId } from "../db/same-id.ts";
import { transact } from "../db/transact.ts";
import { historyContent } from "../history/history-chain.ts";
import { outcomeFacts, recordedFacts } from "../history/history-facts.ts";
import { actedOn, begin } from "./begin-change.ts";
import { latestChanges, requesters } from "./change-filter.ts";
import { isReadable, jsonOrNull, onceKeyIn, rowOf } from "./change-row.ts";
import { abandonedChanges, type Instances, isAbandoned } from "./instance-table.ts";
import { changeReader, readChange } from "./read-changes.ts";
import { recordTransition } from "./record-transition.ts";

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
function recentlyAbout(db: Db, kind: string, subjectId: string, since: number) {
  return db
    .selectFrom("change")
    .selectAll()
    .where("subject_kind", "=", kind)
    .where(isSameId("subject_id", subjectId))
    .where("state", "in", ["succeeded", "unknown", "performing"])
    .where(({ eb, fn }) => eb(fn.coalesce("settled_at", "requested_at"), ">", since));
}

function succeededAbout(db: Db, kind: string, subjectId: string) {
  return db
    .selectFrom("change")
    .selectAll()
    .where("subject_kind", "=", kind)
    .where(isSameId("subject_id", subjectId))
    .where("state", "in", ["succeeded", "partly"]);
}

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
