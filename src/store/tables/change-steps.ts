import type { Kysely, Selectable } from "kysely";
import type { Change } from "../../changes/change.ts";
import { isSeries } from "../../changes/steps/series.ts";
import type { ChangeTable, Database } from "../db/database.ts";
import { changeOf } from "./change-row.ts";

/** The steps of those of these changes that are a series, in the order in which they were begun. */
export async function stepsOfEach(
  db: Kysely<Database>,
  changes: readonly Pick<Selectable<ChangeTable>, "id" | "words">[],
): Promise<ReadonlyMap<string, readonly Change[]>> {
  const ids = changes.filter(isSeries).map(({ id }) => id);
  const steps = new Map<string, readonly Change[]>(ids.map((id) => [id, []]));
  if (ids.length === 0) return steps;
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
  // A step is never decided on by itself.
  for (const row of rows)
    steps.set(row.parent_id ?? "", [...(steps.get(row.parent_id ?? "") ?? []), changeOf(row, [])]);
  return steps;
}
