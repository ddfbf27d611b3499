import { type Kysely, sql } from "kysely";
import { resourceKeys } from "../../../directory/resource-place.ts";
import type { Database, Db } from "../../db/database.ts";
import { grouped } from "../../db/read-rows.ts";
import { forget, type Naming, recallEach } from "../../known.ts";

/** Per resource, so that one resource's many exclusions never hide another's only one. */
export const maxPerResource = 5;

/** For each resource: the exclusions that name it now, and the latest of the others; the latest first. */
export function exclusionsOf(
  db: Db,
  at: number,
  resourceIds: readonly string[],
): Promise<readonly (readonly Naming[])[]> {
  const keys = [...new Set(resourceIds.map((id) => id.toLowerCase()))];
  return recallEach(db, "exclusions", keys, async (unknown) => {
    const numbered = db
      .selectFrom("excluded_resource")
      .select(["exclusion_id as exclusionId", "resource_key", "expires_at as until"])
      .select(
        sql<number>`row_number() over (partition by resource_key order by expires_at desc, exclusion_id desc)`.as(
          "place",
        ),
      )
      .where("resource_key", "in", unknown);
    const rows = await db
      .selectFrom(numbered.as("numbered"))
      .select(["exclusionId", "resource_key", "until"])
      .where((row) => row.or([row("place", "<=", maxPerResource), row("until", ">", at)]))
      .orderBy("place")
      .execute();
    return grouped(rows, (row) => row.resource_key);
  });
}

export async function rememberResources(
  db: Kysely<Database>,
  exclusion_id: string,
  resourceIds: readonly string[],
  expires_at: number,
): Promise<void> {
  const keys = new Set(resourceIds.flatMap((id) => resourceKeys(id)));
  for (const key of keys) forget(db, "exclusions", key);
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
  forget(db, "exclusions");
  await db.updateTable("excluded_resource").set({ expires_at: 0 }).where("exclusion_id", "=", exclusionId).execute();
}
