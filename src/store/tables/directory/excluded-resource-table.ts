import { type Kysely, sql } from "kysely";
import { resourceKeys } from "../../../directory/resources.ts";
import type { Database, Db } from "../../db/database.ts";

/** Per resource, so that one resource's many exclusions never hide another's only one. */
export const maxPerResource = 5;

export interface Naming {
  readonly exclusionId: string;
  /** Until when the exclusion names the resource. */
  readonly until: number;
  /** Among the exclusions that name it, the latest first. */
  readonly place: number;
}

/** The exclusions that name one of these resources now, and the latest of the others. */
export async function exclusionsOf(db: Db, at: number, resourceIds: readonly string[]): Promise<readonly Naming[]> {
  const keys = [...new Set(resourceIds.map((id) => id.toLowerCase()))];
  if (keys.length === 0) return [];
  const place = sql<number>`row_number() over (partition by resource_key order by expires_at desc, exclusion_id desc)`;
  const numbered = db
    .selectFrom("excluded_resource")
    .select(["exclusion_id as exclusionId", "expires_at as until", place.as("place")])
    .where("resource_key", "in", keys);
  return db
    .selectFrom(numbered.as("numbered"))
    .selectAll()
    .where((row) => row.or([row("place", "<=", maxPerResource), row("until", ">", at)]))
    .orderBy("place")
    .execute();
}

export async function rememberResources(
  db: Kysely<Database>,
  exclusion_id: string,
  resourceIds: readonly string[],
  expires_at: number,
): Promise<void> {
  const keys = new Set(resourceIds.flatMap((id) => resourceKeys(id)));
  const rows = [...keys].map((resource_key) => ({ exclusion_id, resource_key, expires_at }));
  for (let from = 0; from < rows.length; from += resourceBatchSize)
    await db
      .insertInto("excluded_resource")
      .values(rows.slice(from, from + resourceBatchSize))
      // A concurrent transaction may have stored the same exclusion.
      .onConflict((conflict) =>
        conflict
          .columns(["exclusion_id", "resource_key"])
          .doUpdateSet(({ ref }) => ({ expires_at: ref("excluded.expires_at") })),
      )
      .execute();
}

const resourceBatchSize = 100;

/** A resource that an edit left out is kept as ended, so that its history shows the exclusion. */
export async function forgetResources(db: Kysely<Database>, exclusionId: string): Promise<void> {
  await db.updateTable("excluded_resource").set({ expires_at: 0 }).where("exclusion_id", "=", exclusionId).execute();
}
