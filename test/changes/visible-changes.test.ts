import { expect, test } from "vitest";
import { visibleChanges } from "../../src/changes/queries/visible-changes.ts";
import type { HistoryFilter } from "../../src/commands/about-changes/about-changes.ts";
import { openTestStore } from "../store/open-test-store.ts";
import { aChange, aContext, noon, someSettings } from "./build.ts";

const mallory = { teamId: "T1", userId: "U09MALLORY", name: "Mallory", timeZone: "UTC" };

/** 210 changes, of which Alice may see every third. `read` holds the size of each read. */
async function startHistory() {
  const store = await openTestStore();
  for (let index = 0; index < 210; index++) {
    const others = { actor: mallory, request: { projectId: "p-secret" } };
    await store.begin(aChange({ id: `chg-${index}`, requestedAt: noon + index, ...(index % 3 === 0 ? {} : others) }));
  }
  const read: number[] = [];
  const list: typeof store.list = async (filter) => {
    const changes = await store.list(filter);
    read.push(changes.length);
    return changes;
  };
  const idsOf = async (filter: HistoryFilter) => {
    const { policy } = someSettings();
    const changes = await visibleChanges(filter, { list }, policy, aContext());
    return changes.map(({ id }) => id);
  };
  return { idsOf, read };
}

test("reads a far page in batches, and continues where the earlier pages end", async () => {
  const { idsOf, read } = await startHistory();
  const all = await idsOf({ limit: 70 });
  expect(all).toEqual(Array.from({ length: 70 }, (_none, index) => `chg-${207 - 3 * index}`));
  expect(await idsOf({ skip: 60, limit: 20 })).toEqual(all.slice(60));
  expect(await idsOf({ skip: 60, limit: 20, actorId: "U01ALICE" })).toEqual(all.slice(60));
  expect(await idsOf({ skip: 1485, limit: 16 })).toEqual([]);
  expect(Math.max(...read)).toBeLessThanOrEqual(200);
});

test("reads no more changes than a page needs", async () => {
  const { idsOf, read } = await startHistory();
  await idsOf({ limit: 5 });
  expect(read).toEqual([20]);
  await idsOf({ limit: 16 });
  expect(read).toEqual([20, 20, 180]);
  await idsOf({ limit: 16, actorId: "U01ALICE" });
  expect(read).toEqual([20, 20, 180, 16]);
});
