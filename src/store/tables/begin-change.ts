import type { Kysely, Transaction } from "kysely";
import { z } from "zod";
import type { Change, Move } from "../../changes/change.ts";
import { replacedBy } from "../../changes/planned/plan-again.ts";
import { PlanGoneError } from "../../changes/planned/replace-plan.ts";
import type { Effects } from "../../changes/ports.ts";
import type { ChangeTable, Database, Db } from "../db/database.ts";
import { transact } from "../db/transact.ts";
import type { Transition } from "../history/history-chain.ts";
import { recordedFacts } from "../history/history-facts.ts";
import { move } from "./approval-store.ts";
import { rowOf } from "./change-row.ts";
import { readChange } from "./read-changes.ts";
import { recordTransition } from "./record-transition.ts";

/**
 * A repeat returns the earlier change, also one with the same once key. Only after a failure, when nothing was altered, a repeat
 * is a new attempt.
 */
export async function begin(db: Db, instance: string, change: Change, effects: Effects): Promise<Change | undefined> {
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
  const isWithdrawn = replaces === undefined || (await move(trx, instance, replaces, withdrawal(transition), {}));
  const inserted = trx
    .insertInto("change")
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returning("id");
  if (!(await inserted.executeTakeFirst())) throw new RepeatError();
  if (replaces !== undefined && !isWithdrawn) throw new PlanGoneError(replaces);
  await recordTransition(trx, instance, transition, effects);
}

const withdrawal = ({ at, changeId }: Transition): Move => ({
  ...{ from: ["awaiting-approval", "planned"], to: "withdrawn", at },
  note: replacedBy(changeId),
});

/** The change with this key; undefined if there is none, or it failed and may be tried again. */
export async function actedOn(db: Db, key: string): Promise<Change | undefined> {
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
