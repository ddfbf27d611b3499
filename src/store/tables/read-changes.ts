import type { Kysely, Selectable } from "kysely";
import type { Change } from "../../changes/change.ts";
import { isSeries } from "../../changes/steps/series.ts";
import type { ChangeTable, Database } from "../db/database.ts";
import { grouped } from "../db/read-rows.ts";
import { changeOf } from "./change-row.ts";

type Row = Selectable<ChangeTable>;

/** Gives each of these changes with its decisions, its notices and its steps. Throws for a row that this version cannot read. */
export async function changeReader(db: Kysely<Database>, rows: readonly Row[]): Promise<(row: Row) => Change> {
  const [decisions, notices, steps] = await Promise.all([
    decisionsOf(
      db,
      idsOf(rows, ({ approval_json: approval }) => approval !== null),
    ),
    // Only users' accounts have owners to notify.
    noticesOf(
      db,
      idsOf(rows, ({ subject_kind: kind }) => kind === "user"),
    ),
    stepsOf(db, idsOf(rows, isSeries)),
  ]);
  return (row) => {
    // A step is never decided on by itself.
    const children = isSeries(row) ? steps(row.id).map((step) => changeOf(step, [])) : undefined;
    return changeOf(row, decisions(row.id), notices(row.id), children);
  };
}

export async function readChange(db: Kysely<Database>, row: Row | undefined): Promise<Change | undefined> {
  return row && (await changeReader(db, [row]))(row);
}

const idsOf = (rows: readonly Row[], isWanted: (row: Row) => boolean) => rows.filter(isWanted).map(({ id }) => id);

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
