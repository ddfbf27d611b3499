import { sql } from "kysely";
import { expect, test } from "vitest";
import { keptBy } from "../../src/changes/hours/kept-running.ts";
import { isPostgresUrl, openDatabase } from "../../src/store/db/open-database.ts";
import { storedSteps } from "../../src/store/tables/exclusion-records.ts";
import { aChange, anEnd, anExclusion, anExtension, aSettlement, hourMs, noon } from "../changes/build.ts";
import { newDatabase } from "../support/new-database.ts";
import { openTestStore } from "./open-test-store.ts";

const at = (hours: number) => noon + hours * hourMs;
const bob = { teamId: "T1", userId: "U02BOB", name: "Bob", timeZone: "UTC" };

/** Alice's exclusion from noon to 16:00, extended by Bob to 18:00, and ended at 17:00 unless `isOpen`. */
async function someRecord(isOpen = false, database?: string) {
  const store = await openTestStore(database);
  await store.begin(aChange());
  const entity = (facts = {}) => ({ kind: "exclusion", id: "ae-1", body: anExclusion(facts) }) as const;
  await store.settle("chg-1", aSettlement({ settledAt: noon }), { entities: [{ ...entity(), ownerId: "U01ALICE" }] });
  const later = { expiryDate: "2026-11-20T18:00:00Z" };
  await store.begin(anExtension({ id: "chg-2", actor: bob, request: { id: "ae-1", ...anExclusion(later) } }));
  const moved = aSettlement({ answer: anExclusion(later), subjectId: "ae-1", settledAt: at(1) });
  await store.settle("chg-2", moved, { entities: [entity(later)] });
  if (isOpen) return store;
  await store.begin(anEnd({ id: "chg-3" }));
  const gone = { kind: "exclusion", id: "ae-1", at: at(5) } as const;
  await store.settle("chg-3", aSettlement({ answer: null, subjectId: "ae-1", settledAt: at(5) }), { entities: [gone] });
  return store;
}

const inHours = (kept: ReturnType<typeof keptBy>) =>
  kept.map(({ by, from, to }) => [by, (from - noon) / hourMs, (to - noon) / hourMs]);

test("what was kept running follows from the changes that were made", async () => {
  const store = await someRecord();
  const records = await store.exclusionsKeeping(noon);
  expect(inHours(records.flatMap(keptBy))).toEqual([
    ["U01ALICE", 0, 4],
    ["U02BOB", 4, 5],
  ]);
});

test("a change that failed or waits does not count", async () => {
  const store = await someRecord(true);
  await store.begin(anExtension({ id: "chg-4" }));
  const failed = { state: "failed", answer: null, subjectId: "ae-1", error: { code: "X", message: "no" } } as const;
  await store.settle("chg-4", aSettlement(failed));
  await store.begin(anEnd({ id: "chg-5" }));
  const [record] = await store.exclusionsKeeping(noon);
  expect(record?.steps).toHaveLength(2);
});

test("exclusions that were over before are not read, nor those of other resources", async () => {
  const store = await someRecord();
  expect(await store.exclusionsKeeping(at(5))).toEqual([]);
  expect(await store.exclusionsKeeping(at(4.9))).toHaveLength(1);
  expect(await store.exclusionsKeeping(noon, ["I-0A1"])).toHaveLength(1);
  expect(await store.exclusionsKeeping(noon, ["i-0a2"])).toEqual([]);
  expect(await store.exclusionsKeeping(noon, [])).toEqual([]);
});

test("a resource that an edit left out counts until then", async () => {
  const store = await someRecord(true);
  const others = { resourceIds: ["i-0a9"], expiryDate: "2026-11-20T18:00:00Z" };
  const request = { id: "ae-1", ...anExclusion(others) };
  await store.begin(anExtension({ id: "chg-6", words: "exclusion edit", request }));
  const answer = anExclusion(others);
  const entities = [{ kind: "exclusion", id: "ae-1", body: answer }] as const;
  await store.settle("chg-6", aSettlement({ answer, subjectId: "ae-1", settledAt: at(2) }), { entities });
  const records = await store.exclusionsKeeping(noon, ["i-0a1"]);
  const kept = records.flatMap(keptBy).filter(({ resource }) => resource.id === "i-0a1");
  expect(inHours(kept)).toEqual([["U01ALICE", 0, 2]]);
});

test("an exclusion made elsewhere counts from its start, for nobody, until it is extended here", async () => {
  const store = await openTestStore();
  await store.remember([{ kind: "exclusion", id: "ae-1", body: anExclusion() }]);
  expect(inHours((await store.exclusionsKeeping(noon)).flatMap(keptBy))).toEqual([[null, 0, 4]]);
});

test("the record is read by indexes alone", async () => {
  const database = await newDatabase();
  await openTestStore(database);
  const db = openDatabase(database);
  if (isPostgresUrl(database)) {
    await storedSteps(db, noon, ["i-0a1"]).execute();
  } else {
    for (const ids of [["i-0a1"], undefined]) {
      const plan = JSON.stringify(await storedSteps(db, noon, ids).explain(undefined, sql`query plan`));
      expect(plan).not.toMatch(/SCAN (?!CONSTANT)/);
      expect(plan).toContain("change_by_subject (subject_kind=? AND subject_id=?)");
      expect(plan).toContain(ids ? "excluded_resource_by_end (resource_key=?" : "entity_by_end (kind=? AND ended_at=?");
    }
  }
  await db.destroy();
});
