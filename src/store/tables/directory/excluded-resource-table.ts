import { type Kysely, sql } from "kysely";
import { resourceKeys } from "../../../directory/resource-place.ts";
import type { Database, Db } from "../../db/database.ts";

/** The exclusions that name one of these resources and end after `at`. */
export async function exclusionIdsNaming(
  db: Db,
  at: number,
  resourceIds: readonly string[],
): Promise<readonly string[]> {
  if (resourceIds.length === 0) return [];
  const rows = await db
    .selectFrom("excluded_resource")
    .select("exclusion_id")
    .distinct()
    .where("resource_key", "in", resourceIds.map(resourceKey))
    .where("expires_at", ">", at)
    .execute();
  return rows.map((row) => row.exclusion_id);
}

/** Per resource, so that one resource's many exclusions never hide another's only one. */
const maxPerResource = 5;

/** The latest exclusions that name one of these resources, ended ones too. */
export function latestNaming(db: Db, resourceIds: readonly string[]) {
  const numbered = db
    .selectFrom("excluded_resource")
    .select("exclusion_id")
    .select(
      sql<number>`row_number() over (partition by resource_key order by expires_at desc, exclusion_id desc)`.as(
        "place",
      ),
    )
    .where("resource_key", "in", [...new Set(resourceIds.map(resourceKey))]);
  return db
    .selectFrom("entity")
    .selectAll()
    .where("kind", "=", "exclusion")
    .where("id", "in", (inner) =>
      inner.selectFrom(numbered.as("numbered")).select("exclusion_id").where("place", "<=", maxPerResource),
    )
    .orderBy("id")
    .execute();
}

const resourceKey = (id: string): string => id.toLowerCase();

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
