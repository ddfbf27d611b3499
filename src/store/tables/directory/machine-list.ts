import { type EntityBody, entityKind } from "../../../directory/directory.ts";
import type { Db } from "../../db/database.ts";
import { type OnUnreadable, readRows } from "../../db/read-rows.ts";
import { recall } from "../../known.ts";

type Machines = readonly EntityBody<"machine">[];

export function createMachineList(db: Db, onUnreadable: OnUnreadable) {
  let read: { readonly after: number; readonly machines: Machines } | undefined;
  return {
    /** All imported machines: the same list as before, unless there was an import since. */
    machines: async (): Promise<Machines> => {
      const [after = 0] = await recall(db, "imports", ["last"], async () => {
        const last = await lastImport(db);
        return () => last;
      });
      if (read?.after !== after) read = { after, machines: await readMachines(db, onUnreadable) };
      return read.machines;
    },
  };
}

/** The place in the history of the last import's beginning or end. */
async function lastImport(db: Db): Promise<number> {
  const last = await db
    .selectFrom("transition")
    .select("sequence")
    .where("change_id", "is", null)
    .where("state", "=", "imported")
    .orderBy("sequence", "desc")
    .limit(1)
    .executeTakeFirst();
  return last?.sequence ?? 0;
}

async function readMachines(db: Db, onUnreadable: OnUnreadable): Promise<Machines> {
  const { schema } = entityKind("machine");
  const rows = await db
    .selectFrom("entity")
    .select(["id", "body_json"])
    .where("kind", "=", "machine")
    .orderBy("id")
    .execute();
  return readRows("entity machine", rows, ({ body_json }) => schema.parse(JSON.parse(body_json)), onUnreadable);
}
