import { expect, test } from "vitest";
import { recover } from "../../src/changes/recover.ts";
import { nextDue } from "../store/next-due.ts";
import { execute, newDatabaseFile, openTestStore } from "../store/open-test-store.ts";
import { aChange, anExtension, aSettlement, noon, quietLog, someSettings } from "./build.ts";

const later = noon + 60_000;

async function storeLeftBehind(file = newDatabaseFile()) {
  const store = await openTestStore(file);
  await store.begin(aChange({ id: "chg-done" }));
  await store.settle("chg-done", aSettlement());
  await store.begin(anExtension({ id: "chg-cut", askedAt: noon + 1 }));
  const ports = {
    store,
    settings: () => someSettings(),
    now: () => later,
    newId: () => "chg-new",
    log: quietLog,
    kick: () => undefined,
  };
  return { store, ports };
}

test("what an earlier run left under way is of unknown outcome, and what was settled stays so", async () => {
  const { store, ports } = await storeLeftBehind();
  const settled = await recover(ports);
  expect(settled.map(({ id, state }) => [id, state])).toEqual([["chg-cut", "unknown"]]);
  expect(await store.find("chg-cut")).toMatchObject({
    state: "unknown",
    subjectId: "ae-1",
    error: { code: "Interrupted" },
    settledAt: later,
  });
  expect((await store.transitions("chg-cut")).map(({ state }) => state)).toEqual(["performing", "unknown"]);
  expect(await store.find("chg-done")).toMatchObject({ state: "succeeded" });
});

test("its asker is told, and so is the channel", async () => {
  const { store, ports } = await storeLeftBehind();
  await recover(ports);
  const told: string[] = [];
  for (let due = await nextDue(store, later); due; due = await nextDue(store, later)) {
    told.push(`${due.changeId} ${due.kind} ${due.to}`);
    await store.delivered(due.id, undefined, later);
  }
  expect(told).toEqual(["chg-cut card C0OPS", "chg-cut tell U01ALICE"]);
});

test("a second recovery finds nothing left", async () => {
  const { ports } = await storeLeftBehind();
  await recover(ports);
  expect(await recover(ports)).toEqual([]);
});

test("one whose record cannot be read is settled too, and holds up none of the others", async () => {
  const file = newDatabaseFile();
  const { store, ports } = await storeLeftBehind(file);
  await store.begin(anExtension({ id: "chg-odd" }));
  await execute(file, "update change set before_json = '{' where id = 'chg-odd'");
  expect((await recover(ports)).map(({ id }) => id)).toEqual(["chg-cut"]);
  expect(await store.unreadablePerforming()).toEqual([]);
  await execute(file, "update change set before_json = null where id = 'chg-odd'");
  expect(await store.find("chg-odd")).toMatchObject({ state: "unknown", subjectId: "ae-1" });
});
