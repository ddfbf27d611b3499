import { type Kysely, sql } from "kysely";
import { expect, test } from "vitest";
import type { Change, ServiceChange } from "../../src/changes/change.ts";
import type { Database, Db } from "../../src/store/db/database.ts";
import { migrate } from "../../src/store/db/migrate.ts";
import { changes } from "../../src/store/db/migrations/001-changes.ts";
import { knownAndTold } from "../../src/store/db/migrations/002-known-and-told.ts";
import { jobsAndMachines } from "../../src/store/db/migrations/003-jobs-and-machines.ts";
import { recordedFacts } from "../../src/store/history/history-facts.ts";
import { appendTransition } from "../../src/store/history/transition-table.ts";
import { rowOf } from "../../src/store/tables/change-row.ts";
import { aChange, anApproval, anExclusion, hourMs, noon } from "../changes/build.ts";
import { newDatabase } from "../support/new-database.ts";
import { openRaw, verify } from "./history-file.ts";
import { nextDue } from "./next-due.ts";
import { openTestStore } from "./open-test-store.ts";

/** A database as the first version made it, of schema version 3. */
async function oldDatabase(): Promise<{ readonly database: string; readonly db: Db }> {
  const database = await newDatabase("empty");
  const db = openRaw(database);
  await db.transaction().execute(async (trx) => {
    for (const step of [changes, knownAndTold, jobsAndMachines]) await step(trx);
    await sql`create table migration (version integer primary key)`.execute(trx);
    for (const version of [1, 2, 3]) await sql`insert into migration values (${version})`.execute(trx);
  });
  return { database, db };
}

/** As the first version recorded it: without what later ones added. */
async function begin(db: Db, change: Change): Promise<void> {
  const row = rowOf(change);
  const { once_key, ...oldRow } = row;
  const { id: changeId, state, requestedAt: at } = change;
  await db.transaction().execute(async (trx) => {
    await insertOld(trx, "change", oldRow);
    await appendTransition(trx, { changeId, state, at, facts: { change: recordedFacts(row) } });
  });
}

async function insertOld(db: Kysely<Database>, table: string, row: object): Promise<void> {
  const columns = Object.keys(row).map((name) => sql.ref(name));
  const values = Object.values(row).map((value) => sql`${value}`);
  await sql`insert into ${sql.table(table)} (${sql.join(columns)}) values (${sql.join(values)})`.execute(db);
}

const rememberedExclusion = (id: string, facts: object = {}) => ({
  kind: "exclusion",
  id,
  project_id: "p-dev",
  owner_id: "U01ALICE",
  expires_at: noon + hourMs,
  ended_at: null,
  from_config: 0,
  body_json: JSON.stringify(anExclusion({ actionExclusionId: id, resourceIds: ["I-0A1", "i-0a1", "i-0a2"] })),
  ...facts,
});

const anUndo = (id: string, facts: Partial<ServiceChange> & Pick<ServiceChange, "undoes">) =>
  aChange({ id, words: "exclusion end", operation: "DeleteActionExclusion", request: { id: "ae-1" }, ...facts });

test("a database of the first version is brought up to date with all that is in it", async () => {
  const { database, db } = await oldDatabase();
  await begin(db, aChange());
  await insertOld(db, "entity", rememberedExclusion("ae-1"));
  await insertOld(db, "entity", rememberedExclusion("ae-torn", { body_json: "{torn" }));
  await insertOld(db, "resource_group", {
    ...{ name: "lab", type: "amazon-ec2-instance", project_id: "p-dev", ids_json: '["i-0a1"]' },
    ...{ saved_by: "U01ALICE", saved_at: noon },
  });
  const waiting = { state: "pending", attempts: 0, due_at: noon, queued_at: noon };
  await insertOld(db, "outbox", { change_id: "chg-1", kind: "card", recipient: "C0OPS", ...waiting });
  const job = { kind: "exclusion-end", attempts: 1, due_at: noon };
  await insertOld(db, "job", { ...job, subject_id: "chg-1", locked_until: null });
  await insertOld(db, "job", { ...job, subject_id: "chg-2", locked_until: noon + hourMs });
  const store = await openTestStore(database);
  expect(await store.find("chg-1")).toEqual(aChange());
  expect((await store.liveExclusions(noon, ["i-0a1"])).map(({ id }) => id)).toEqual(["ae-1"]);
  expect(await store.groups()).toEqual({ lab: { type: "amazon-ec2-instance", project: "p-dev", ids: ["i-0a1"] } });
  expect(await nextDue(store, noon)).toMatchObject({ changeId: "chg-1", kind: "card", to: "C0OPS" });
  const jobs = await db.selectFrom("job").select(["subject_id", "next_at"]).orderBy("subject_id").execute();
  expect(jobs).toEqual([
    { subject_id: "chg-1", next_at: noon },
    { subject_id: "chg-2", next_at: noon + hourMs },
  ]);
  await store.begin(aChange({ id: "chg-new" }));
  expect(await verify(database)).toMatchObject({ kind: "intact", length: 2 });
});

test("of the undos that wait or are under way in it, the oldest of each change keeps others from beginning", async () => {
  const { database, db } = await oldDatabase();
  const waits = { state: "awaiting-approval", approval: anApproval() } as const;
  await begin(db, anUndo("chg-late", { ...waits, undoes: "chg-1", requestedAt: noon + 2 }));
  await begin(db, anUndo("chg-early", { ...waits, undoes: "chg-1", requestedAt: noon + 1 }));
  await begin(db, anUndo("chg-failed", { undoes: "chg-1", state: "failed", settledAt: noon, requestedAt: noon }));
  await begin(db, anUndo("chg-going", { undoes: "chg-2" }));
  await begin(db, anUndo("chg-denied", { ...waits, undoes: "chg-3", state: "denied", settledAt: noon }));
  const store = await openTestStore(database);
  const heldBy = async (undoes: string) => (await store.begin(anUndo(`chg-undo-${undoes}`, { undoes })))?.id;
  expect(await heldBy("chg-1")).toBe("chg-early");
  expect(await heldBy("chg-2")).toBe("chg-going");
  expect(await heldBy("chg-3")).toBeUndefined();
});

test("an undo that was begun later and has its key keeps it", async () => {
  const { database, db } = await oldDatabase();
  await begin(db, anUndo("chg-old", { undoes: "chg-1" }));
  await migrate(db);
  await sql`update change set once_key = null`.execute(db);
  await sql`delete from migration where version >= 7`.execute(db);
  await sql`drop table config_request`.execute(db);
  const { once_key } = rowOf(anUndo("chg-later", { undoes: "chg-1", requestedAt: noon + 1 }));
  await begin(db, anUndo("chg-later", { undoes: "chg-1", requestedAt: noon + 1 }));
  await sql`update change set once_key = ${once_key} where id = 'chg-later'`.execute(db);
  const store = await openTestStore(database);
  expect((await store.begin(anUndo("chg-third", { undoes: "chg-1" })))?.id).toBe("chg-later");
});
