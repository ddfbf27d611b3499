import { setImmediate } from "node:timers/promises";
import { type RawBuilder, sql, type Transaction } from "kysely";
import { type Database, type Db, isPostgres } from "../db/database.ts";
import { transact } from "../db/transact.ts";
import { anchorOf, lockAnchor, sealOf } from "./history-chain.ts";
import { appendTransition } from "./transition-table.ts";

/** Looked at in one short transaction. */
const pieceSize = 500;
/** One night takes no more, so that the job ends within its lease, and a clock that was set ahead is noticed before all is gone. */
const nightSize = 100_000;
const nightMs = 31 * 24 * 3_600_000;

/** Deletes the changes that were over before this time, with their history, and old events. Each piece moves the anchor with it. */
export async function pruneHistory(db: Db, before: number, now: () => number): Promise<void> {
  let [from, until, deleted]: [number | undefined, number, number] = [0, before, 0];
  while (from !== undefined && deleted < nightSize) {
    await setImmediate();
    const after: number = from;
    const piece = await transact(db, (trx) => prunePiece(trx, after, until, now()));
    [from, until, deleted] = [piece.to, Math.min(until, (piece.oldest ?? until) + nightMs), deleted + piece.deleted];
  }
}

async function prunePiece(trx: Transaction<Database>, after: number, before: number, now: number) {
  await lockAnchor(trx);
  const rows = await trx
    .selectFrom("transition")
    .leftJoin("change", "change.id", "transition.change_id")
    .select(["transition.sequence", "transition.at", "change.id", "change.parent_id", mayGo(before).as("isOld")])
    .where("transition.at", "<", before)
    .where("transition.sequence", ">", after)
    .orderBy("transition.sequence")
    .limit(pieceSize)
    .execute();
  const to = rows.length < pieceSize ? undefined : rows.at(-1)?.sequence;
  const old = rows.filter(({ isOld }) => isOld);
  const oldest = old[0]?.at;
  const some = old.filter(({ at }) => at < (oldest ?? 0) + nightMs);
  // PostgreSQL knows no empty list.
  const roots = ["", ...new Set(some.flatMap(({ id, parent_id: parent }) => parent ?? id ?? []))];
  const events = [0, ...some.flatMap(({ id, sequence }) => (id === null ? sequence : []))];
  return { to, oldest, deleted: some.length === 0 ? 0 : await deleteWith(trx, roots, events, before, now) };
}

/** Events, but never those about the config, or that somebody was forgotten; and changes that nothing needs any more, with all steps of their series. */
const mayGo = (
  before: number,
): RawBuilder<boolean> => sql`case when change.id is null then transition.state not like 'config-%' and transition.state <> 'forgotten'
  else ${isOver("change", before)}
    and (parent_id is null or exists (select 1 from change p where p.id = change.parent_id and ${isOver("p", before)}))
    and not exists (
      select 1 from change s where s.parent_id = coalesce(change.parent_id, change.id) and not (${isOver("s", before)})) end`;

/** Not while an exclusion was running. Of another thing, not its last change that was not undone: that one still can be. */
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

/** Gives how many entries that were. */
async function deleteWith(
  trx: Transaction<Database>,
  roots: readonly string[],
  events: readonly number[],
  before: number,
  now: number,
): Promise<number> {
  const former = await anchorOf(trx);
  // Under a new seal, what was altered would look right.
  if ((await sealOf(trx, former.through)).seal !== former.seal)
    throw new Error('the history is broken, so nothing is pruned: run "audit verify"');
  const family = await trx
    .selectFrom("change")
    .select(["id", "settled_at"])
    .where(({ eb, or }) => or([eb("id", "in", roots), eb("parent_id", "in", roots)]))
    .$if(isPostgres(trx), (query) => query.forUpdate())
    .execute();
  if (family.some(({ settled_at: at }) => (at ?? before) >= before)) throw new Error("a change was altered; try again");
  const ids = ["", ...family.map(({ id }) => id)];
  const gone = await trx
    .deleteFrom("transition")
    .where(({ eb, or }) => or([eb("change_id", "in", ids), eb("sequence", "in", events)]))
    .returning(["sequence as through", "hash as anchor"])
    .execute();
  for (const table of ["outbox", "notice", "decision"] as const)
    await trx.deleteFrom(table).where("change_id", "in", ids).execute();
  await trx.deleteFrom("change").where("id", "in", ids).execute();
  const { through, anchor } = [former, ...gone].reduce((one, other) => (other.through > one.through ? other : one));
  const pruned = former.pruned + gone.length;
  const event = { actor: "curfew", pruned, through, anchor, ...(await sealOf(trx, through)) };
  await appendTransition(trx, { state: "pruned", at: now, facts: { event } });
  return gone.length;
}
