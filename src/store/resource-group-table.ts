import type { Selectable } from "kysely";
import { z } from "zod";
import type { GroupStore } from "../changes/ports.ts";
import type { ResourceGroup } from "../commands/command.ts";
import { resourceTypes } from "../service/resources.ts";
import type { Db, ResourceGroupTable } from "./database.ts";
import { prepared } from "./prepared.ts";
import { type OnUnreadable, readRows } from "./read-rows.ts";

export function createGroupStore(db: Db, onUnreadable: OnUnreadable): GroupStore {
  return {
    groups: async () => {
      const rows = await allGroups(db, {});
      const named = rows.map((row) => ({ ...row, id: row.name }));
      return Object.fromEntries(readRows("resource_group", named, (row) => [row.name, groupOf(row)], onUnreadable));
    },
    saveGroup: async (name, { type, project, ids: members }, savedBy, savedAt) => {
      const told = {
        type,
        project_id: project,
        ids_json: JSON.stringify(members),
        saved_by: savedBy,
        saved_at: savedAt,
      };
      await db
        .insertInto("resource_group")
        .values({ name: name.toLowerCase(), ...told })
        .onConflict((conflict) => conflict.column("name").doUpdateSet(told))
        .execute();
    },
    deleteGroup: async (name) => {
      await db.deleteFrom("resource_group").where("name", "=", name.toLowerCase()).execute();
    },
  };
}

const allGroups = prepared((db) => db.selectFrom("resource_group").selectAll().orderBy("name"));

const ids = z.array(z.string());
const resourceType = z.enum(resourceTypes);

function groupOf(row: Selectable<ResourceGroupTable>): ResourceGroup {
  return {
    type: resourceType.parse(row.type),
    project: row.project_id,
    ids: ids.parse(JSON.parse(row.ids_json)),
  };
}
