import type { ExpressionBuilder } from "kysely";
import {
  type ExclusionRecords,
  isHolding,
  recordOf,
  type StoredExclusion,
  type StoredStep,
} from "../../changes/hours/kept-running.ts";
import { resourceKeys } from "../../service/resources.ts";
import { groupBy } from "../../time/group-by.ts";
import type { Database, Db } from "../db/database.ts";

/** The record of exclusions, from the directory and the changes that were made. */
export function createExclusionRecords(db: Db): ExclusionRecords {
  return {
    exclusionsKeeping: async (from, resourceIds) =>
      (await storedExclusions(db, from, resourceIds)).map((stored) => recordOf(stored)),
    exclusionsHolding: async (from, resourceIds) =>
      (await storedExclusions(db, from, resourceIds)).map((stored) => recordOf(stored, isHolding)),
  };
}

async function storedExclusions(
  db: Db,
  from: number,
  resourceIds: readonly string[] | undefined,
): Promise<readonly StoredExclusion[]> {
  if (resourceIds?.length === 0) return [];
  const rows = await storedSteps(db, from, resourceIds).execute();
  return [...groupBy(rows, (row) => row.id)].flatMap(([id, all]) => {
    const [entity] = all;
    if (!entity) return [];
    const { project_id: projectId, owner_id: ownerId, ended_at: endedAt, body_json: body } = entity;
    return [{ id, projectId, ownerId, endedAt, body: JSON.parse(body), changes: all.flatMap(stepOf) }];
  });
}

type Row = Awaited<ReturnType<ReturnType<typeof storedSteps>["execute"]>>[number];

/** The row of an exclusion without changes has none. */
function stepOf({ operation, actor_id: actorId, request_json: request, ...row }: Row) {
  const { settled_at: at, requested_at: requestedAt } = row;
  if (operation === null || actorId === null || request === null || at === null || requestedAt === null) return [];
  const [before, answer] = [row.before_json, row.answer_json].map((json) => (json === null ? null : JSON.parse(json)));
  const isFoundOut = row.verified_json !== null;
  const step = { operation, actorId, request: JSON.parse(request), before, answer, at, requestedAt, isFoundOut };
  return [step satisfies StoredStep];
}

/**
 * Nothing is kept running after an exclusion's last end, or after it was ended: so those that are over before `from` are left out, by
 * the index on their ends, and only the changes of the others are read, by the index on their subject.
 */
export function storedSteps(db: Db, from: number, resourceIds: readonly string[] | undefined) {
  const keys = resourceIds && [...new Set(resourceIds.flatMap(resourceKeys))];
  return db
    .selectFrom("entity")
    .leftJoin("change", (join) =>
      join
        .on("change.subject_kind", "=", "exclusion")
        .onRef("change.subject_id", "=", "entity.id")
        .on(({ eb, and, or }) =>
          or([
            eb("change.state", "in", ["succeeded", "partly"]),
            // Of parts some are known.
            and([eb("change.state", "=", "unknown"), eb("change.answer_json", "is not", null)]),
          ]),
        ),
    )
    .select(["entity.id", "entity.project_id", "entity.owner_id", "entity.ended_at", "entity.body_json"])
    .select(["change.operation", "change.actor_id", "change.request_json", "change.before_json", "change.answer_json"])
    .select(["change.requested_at", "change.settled_at", "change.verified_json"])
    .where("entity.kind", "=", "exclusion")
    .where((row) =>
      // Many may hold at a time, and few name a machine.
      keys
        ? row.and([row("entity.id", "in", idsNaming(row, keys, from)), isKeeping(row, from)])
        : row("entity.id", "in", idsKeeping(row, from)),
    )
    .orderBy("entity.id")
    .orderBy("change.settled_at")
    .orderBy("change.requested_at");
}

type Rows = ExpressionBuilder<Database, "entity">;

function idsKeeping(row: Rows, from: number) {
  const ofKind = () => row.selectFrom("entity as kept").select("kept.id").where("kept.kind", "=", "exclusion");
  return ofKind()
    .where("kept.ended_at", "is", null)
    .where("kept.expires_at", ">", from)
    .unionAll(ofKind().where("kept.ended_at", "is", null).where("kept.expires_at", "is", null))
    .unionAll(ofKind().where("kept.ended_at", ">", from));
}

const isKeeping = (row: Rows, from: number) =>
  row.or([
    row("entity.ended_at", ">", from),
    row("entity.ended_at", "is", null).and(
      row.or([row("entity.expires_at", "is", null), row("entity.expires_at", ">", from)]),
    ),
  ]);

/** A resource that an edit left out is there as ended, with 0. */
function idsNaming(row: Rows, keys: readonly string[], from: number) {
  const naming = row.selectFrom("excluded_resource").select("exclusion_id").where("resource_key", "in", keys);
  return naming.where("expires_at", ">", from).unionAll(naming.where("expires_at", "=", 0));
}
