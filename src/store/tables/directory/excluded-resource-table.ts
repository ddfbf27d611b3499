import { type CompiledQuery, type Kysely, sql } from "kysely";
import { resourceKeys } from "../../../directory/resources.ts";
import type { Database, Db, ExcludedResourceTable } from "../../db/database.ts";
import { prepared, run } from "../../db/prepared.ts";

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
  exclusionId: string,
  resourceIds: readonly string[],
  expiresAt: number,
): Promise<void> {
  for (const query of prepareResources(db, exclusionId, resourceIds, expiresAt)) await run(db, query);
}

/** The statements that store an exclusion's resources. */
export function prepareResources(
  db: Kysely<Database>,
  exclusion_id: string,
  resourceIds: readonly string[],
  expires_at: number,
): readonly CompiledQuery[] {
  const keys = new Set(resourceIds.flatMap((id) => resourceKeys(id)));
  const rows = [...keys].map((resource_key) => ({ exclusion_id, resource_key, expires_at }));
  const batches = Array.from({ length: Math.ceil(rows.length / resourceBatchSize) }, (_, index) =>
    rows.slice(index * resourceBatchSize, (index + 1) * resourceBatchSize),
  );
  return batches.map((batch) => insertResources.query(db, { rows: batch }));
}

/** Each batch length is one prepared statement. */
const resourceBatchSize = 20;

/** A resource that an edit left out is kept as ended, so that its history shows the exclusion. */
export const forgetResources = prepared((db, { exclusion_id }: Pick<ExcludedResourceTable, "exclusion_id">) =>
  db.updateTable("excluded_resource").set({ expires_at: 0 }).where("exclusion_id", "=", exclusion_id),
);

/** Upserts: a concurrent transaction may have stored the same exclusion. */
const insertResources = prepared((db, { rows }: { readonly rows: readonly ExcludedResourceTable[] }) =>
  db
    .insertInto("excluded_resource")
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .columns(["exclusion_id", "resource_key"])
        .doUpdateSet(({ ref }) => ({ expires_at: ref("excluded.expires_at") })),
    ),
);
