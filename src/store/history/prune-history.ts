import { setImmediate } from "node:timers/promises";
import { type RawBuilder, sql, type Transaction } from "kysely";
import { type Database, type Db, isPostgres } from "../db/database.ts";
import { transact } from "../db/transact.ts";
import { anchorOf, sealOf } from "./anchor.ts";
import { appendTransition } from "./transition-table.ts";

/** A piece of the history, looked at and pruned in one short transaction. */
const pieceSize = 500;

/**
 * What one night takes away, so that a clock that was set ahead, or a retention that was made too short, is noticed before everything is
 * gone, and so that the job ends within its lease.
 */
const nightMs = 31 * 24 * 3_600_000;
const nightSize = 100_000;

/**
 * Deletes the changes that were over before this time, with their history, and old events. Each piece moves the anchor in its
 * transaction, so that a crash leaves a whole history.
 */
export async function pruneHistory(db: Db, before: number, now: () => number): Promise<void> {
  let [from, until, deleted]: [number | undefined, number, number] = [0, before, 0];
  while (from !== undefined && deleted < nightSize) {
    await setImmediate();
    const after: number = from;
    const piece = await transact(db, (trx) => prunePiece(trx, after, until, now()));
    from = piece.to;
    deleted += piece.deleted;
    until = Math.min(until, (piece.oldest ?? until) + nightMs);
  }
}

async function prunePiece(trx: Transaction<Database>, after: number, before: number, now: number) {
  // Two instances would write an anchor each.
  if (isPostgres(trx)) await sql`select pg_advisory_xact_lock(${pruningLock})`.execute(trx);
  const looked = trx.selectFrom("transition").select("sequence").where("at", "<", before).where("sequence", ">", after);
  const rows = await looked.orderBy("sequence").limit(pieceSize).execute();
  const to = rows.length < pieceSize ? undefined : rows.at(-1)?.sequence;
  const found = await prunable(trx, rows, before);
  const oldest = found[0]?.at;
  const some = found.filter(({ at }) => at < (oldest ?? 0) + nightMs);
  if (some.length === 0) return { to, oldest, deleted: 0 };
  const roots = [...new Set(some.flatMap(({ root }) => root ?? []))];
  const events = some.flatMap(({ root, sequence }) => (root === null ? sequence : []));
  return { to, oldest, deleted: await deleteWith(trx, roots, events, before, now) };
}

/** Which of these entries may go: events, but never those about the config, and changes that nothing needs any more. */
function prunable(trx: Transaction<Database>, rows: readonly { readonly sequence: number }[], before: number) {
  if (rows.length === 0) return [];
  const ofParent = sql`exists (select 1 from change p where p.id = change.parent_id and ${isOver("p", before)})`;
  const ofSteps = sql`exists (select 1 from change s where s.parent_id = coalesce(change.parent_id, change.id) and not (${isOver("s", before)}))`;
  const root = sql<string | null>`coalesce(change.parent_id, change.id)`;
  return trx
    .selectFrom("transition")
    .leftJoin("change", "change.id", "transition.change_id")
    .select(["transition.sequence", "transition.at", root.as("root")])
    .where(
      "sequence",
      "in",
      rows.map(({ sequence }) => sequence),
    )
    .where(
      sql<boolean>`case when change.id is null then transition.state not like 'config-%'
        else (${isOver("change", before)}) and (change.parent_id is null or ${ofParent}) and not ${ofSteps} end`,
    )
    .orderBy("sequence")
    .execute();
}

/**
 * Whether a change was over before this time and can be neither undone nor shown: not the changes of an exclusion that was still
 * running then, and not the last change of another thing that was not taken back.
 */
const isOver = (change: string, before: number): RawBuilder<boolean> => {
  const [row, made] = [sql.raw(change), sql`('succeeded', 'partly')`];
  return sql`coalesce(${row}.settled_at, ${before}) < ${before}
    and not exists (select 1 from transition t where t.change_id = ${row}.id and t.at >= ${before})
    and not exists (select 1 from outbox o where o.change_id = ${row}.id and o.state = 'pending')
    and case when ${row}.subject_kind = 'exclusion' then not exists (
        select 1 from entity e where e.kind = 'exclusion' and lower(e.id) = lower(${row}.subject_id)
          and coalesce(e.ended_at, e.expires_at, ${before}) >= ${before})
      else ${row}.state not in ${made} or ${row}.subject_id is null or exists (
        select 1 from change l where l.subject_kind = ${row}.subject_kind and lower(l.subject_id) = lower(${row}.subject_id)
          and l.settled_at > ${row}.settled_at and l.state in ${made} and l.undoes is null
          and not exists (select 1 from change u where u.once_key = 'undo:' || l.id and u.state in ${made})) end`;
};

/** An arbitrary number, other than that of migrations. */
const pruningLock = 4_287_339_116;

/** Deletes whole changes, with their steps, and events. Gives how many entries that were. */
async function deleteWith(
  trx: Transaction<Database>,
  roots: readonly string[],
  events: readonly number[],
  before: number,
  now: number,
): Promise<number> {
  const former = await anchorOf(trx);
  // PostgreSQL knows no empty list.
  const named = ["", ...roots];
  const family = await trx
    .selectFrom("change")
    .select(["id", "settled_at"])
    .where(({ eb, or }) => or([eb("id", "in", named), eb("parent_id", "in", named)]))
    .$if(isPostgres(trx), (query) => query.forUpdate())
    .execute();
  if (family.some(({ settled_at: at }) => (at ?? before) >= before)) throw new Error("a change was altered; try again");
  const ids = ["", ...family.map(({ id }) => id)];
  const gone = await trx
    .deleteFrom("transition")
    .where(({ eb, or }) => or([eb("change_id", "in", ids), eb("sequence", "in", [0, ...events])]))
    .returning(["sequence", "hash"])
    .execute();
  for (const table of ["outbox", "notice", "decision"] as const)
    await trx.deleteFrom(table).where("change_id", "in", ids).execute();
  await trx.deleteFrom("change").where("id", "in", ids).execute();
  const [last] = gone.toSorted((one, other) => other.sequence - one.sequence);
  const isLater = last && last.sequence > former.through;
  const { through, anchor } = isLater ? { through: last.sequence, anchor: last.hash } : former;
  const pruned = former.pruned + gone.length;
  const event = { actor: "curfew", pruned, through, anchor, ...(await sealOf(trx, through)) };
  await appendTransition(trx, { state: "pruned", at: now, facts: { event } });
  return gone.length;
}
