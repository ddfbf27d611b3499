import { expect, onTestFinished, test } from "vitest";
import type { NewEntity } from "../../src/directory/directory.ts";
import { requireSchema } from "../../src/store/db/migrate.ts";
import { openDatabase } from "../../src/store/db/open-database.ts";
import { searchEntities } from "../../src/store/tables/directory/entity-table.ts";
import { anExclusion, noon } from "../changes/build.ts";
import { newDatabase } from "../support/new-database.ts";
import { openTestStore } from "./open-test-store.ts";

const exclusion = (id: string, expiryDate: string | null = null): NewEntity => ({
  kind: "exclusion",
  id,
  body: anExclusion({ actionExclusionId: id, expiryDate }),
});

test("does not repeat an entity that got an end during the search", async () => {
  const file = await newDatabase();
  const store = await openTestStore(file);
  const ids = ["ae-over", "ae-ends", "ae-stays"];
  await store.remember(ids.map((id) => exclusion(id)));
  await store.remember([{ kind: "exclusion", id: "ae-over", at: noon }, exclusion("ae-ends", "2026-11-21T12:00:00Z")]);
  const db = openDatabase(file);
  onTestFinished(() => db.destroy());
  await requireSchema(db);
  const found = await searchEntities(db, { kind: "exclusion", text: "ae", limit: 10 }, noon, async () => ids);
  expect(found.map(({ id }) => id).sort()).toEqual(["ae-ends", "ae-stays"]);
});
