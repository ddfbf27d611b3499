import { sql } from "kysely";
import { type Db, isPostgres } from "../db/database.ts";

const id = 1;

/** The workspace's people, sealed, as one instance read them for all. On SQLite there is one instance. */
export function createPeopleListStore(db: Db) {
  if (!isPostgres(db)) return undefined;
  const own = () => db.updateTable("people_list").where("id", "=", id);
  return {
    look: async () => {
      const row = await db
        .selectNoFrom(({ selectFrom }) => [
          selectFrom("people_list").select("begun").as("begun"),
          selectFrom("people_list").select("done").as("done"),
          sql<boolean>`(select count(*) > 1 from instance)`.as("others"),
        ])
        .executeTakeFirstOrThrow();
      return { begun: row.begun ?? 0, done: row.done ?? 0, others: row.others };
    },
    begin: async (after: number): Promise<boolean> => {
      const begun = await db
        .insertInto("people_list")
        .values({ id, begun: after + 1, done: 0, people: "" })
        .onConflict((conflict) =>
          conflict
            .column("id")
            .doUpdateSet({ begun: after + 1, people: "" })
            .where("people_list.begun", "=", after),
        )
        .returning("id")
        .executeTakeFirst();
      return begun !== undefined;
    },
    put: async (reading: number, people: string): Promise<void> => {
      await own().set({ done: reading, people }).where("begun", "=", reading).execute();
    },
    take: async (reading: number): Promise<string | undefined> => {
      const row = await db.selectFrom("people_list").select("people").where("done", "=", reading).executeTakeFirst();
      return row?.people;
    },
  };
}

/** Whoever needs the list then reads it. */
export const clearPeopleList = (db: Db) => db.updateTable("people_list").set({ people: "" }).execute();
