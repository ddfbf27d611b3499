import { type Kysely, type Selectable, sql, type Transaction } from "kysely";
import { z } from "zod";
import type { Change } from "../../changes/change.ts";
import type { GroupStore } from "../../changes/ports.ts";
import type { KeptGroup, ResourceGroup } from "../../directory/directory.ts";
import { parseJson } from "../../service/read-answer.ts";
import { resourceTypes } from "../../service/resources.ts";
import { type Database, type Db, isPostgres, type ResourceGroupTable } from "../db/database.ts";
import { type OnUnreadable, readRows } from "../db/read-rows.ts";
import { transact } from "../db/transact.ts";
import { forget, recall } from "../known.ts";
import { insertSettled } from "./change-table.ts";

export function createGroupStore(db: Db, instance: string, onUnreadable: OnUnreadable): GroupStore {
  let last: { readonly text: string; readonly groups: Readonly<Record<string, ResourceGroup>> } | undefined;
  return {
    groups: async () => {
      const [rows = []] = await recall(db, "groups", ["all"], async () => {
        const all = await db.selectFrom("resource_group").selectAll().orderBy("name").execute();
        return () => all;
      });
      const text = JSON.stringify(rows);
      // The same object while they are the same: others index it.
      if (last?.text === text) return last.groups;
      const named = rows.map((row) => ({ ...row, id: row.name }));
      const groups = Object.fromEntries(
        readRows("resource_group", named, (row) => [row.name, groupOf(row)] as const, onUnreadable),
      );
      last = { text, groups };
      return groups;
    },
    findGroup: (name) => findGroup(db, name),
    changeGroup: (name, group, record) => {
      const change = async (trx: Transaction<Database>) => {
        // Serialized, so that the reported former group is the replaced one, also when two save a new name concurrently.
        if (isPostgres(trx)) await sql`lock table resource_group in exclusive mode`.execute(trx);
        forget(trx, "groups");
        const former = await findGroup(trx, name);
        const { change: recorded, ...effects } = record(former) ?? {};
        if (!recorded) return former;
        if (group) await saveGroup(trx, name, group, recorded);
        else await trx.deleteFrom("resource_group").where("name", "=", name).execute();
        await insertSettled(trx, instance, recorded, effects);
        return former;
      };
      return transact(db, change);
    },
  };
}

async function findGroup(db: Kysely<Database>, name: string): Promise<KeptGroup | undefined> {
  const row = await db.selectFrom("resource_group").selectAll().where("name", "=", name).executeTakeFirst();
  if (!row) return undefined;
  const [named, actions] = [row.ids_json, row.actions_json].map((json) => ids.safeParse(parseJson(json ?? "")).data);
  return { type: row.type, project: row.project_id, ids: named ?? [], ...(actions ? { actions } : {}) };
}

async function saveGroup(
  db: Kysely<Database>,
  name: string,
  { type, project, ids: members, actions }: ResourceGroup,
  { actor, requestedAt }: Pick<Change, "actor" | "requestedAt">,
): Promise<void> {
  const columns = {
    type,
    project_id: project,
    ids_json: JSON.stringify(members),
    actions_json: actions ? JSON.stringify(actions) : null,
    saved_by: actor.userId,
    saved_at: requestedAt,
  };
  await db
    .insertInto("resource_group")
    .values({ name, ...columns })
    .onConflict((conflict) => conflict.column("name").doUpdateSet(columns))
    .execute();
}

const ids = z.array(z.string());
const resourceType = z.enum(resourceTypes);

function groupOf(row: Selectable<ResourceGroupTable>): ResourceGroup {
  return {
    type: resourceType.parse(row.type),
    project: row.project_id,
    ids: ids.parse(JSON.parse(row.ids_json)),
    ...actionsOf(row),
  };
}

const actionsOf = ({ actions_json: json }: Selectable<ResourceGroupTable>): Pick<ResourceGroup, "actions"> =>
  json === null ? {} : { actions: ids.parse(JSON.parse(json)) };
