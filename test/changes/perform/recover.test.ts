import { expect, test } from "vitest";
import { NotPerformingError, recover } from "../../../src/changes/perform/record-outcome.ts";
import { openStore, type Store } from "../../../src/store/open-store.ts";
import { verify } from "../../store/history-file.ts";
import { openTestStore } from "../../store/open-test-store.ts";
import { execute } from "../../support/execute.ts";
import { newDatabase } from "../../support/new-database.ts";
import { aChange, anExtension, aSettlement, noon, quietLog, someSettings } from "../build.ts";

const later = noon + 60_000;

/** A store on the database that an earlier run has left. */
async function storeLeftBehind(leave: (earlier: Store, database: string) => Promise<void> = async () => undefined) {
  const database = await newDatabase();
  const earlier = await openStore(database);
  await earlier.begin(aChange({ id: "chg-done" }));
  await earlier.settle("chg-done", aSettlement());
  await earlier.begin(anExtension({ id: "chg-cut", requestedAt: noon + 1 }));
  await leave(earlier, database);
  await earlier.close();
  return recoveringOn(database);
}

async function recoveringOn(database: string) {
  const store = await openTestStore(database);
  const ports = { store, settings: () => someSettings(), now: () => later, log: quietLog };
  return { database, store, ports };
}

test("settles what an earlier run left performing as unknown, and keeps settled changes", async () => {
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

test("settles a change whose record cannot be read, and all others", async () => {
  const { database, store, ports } = await storeLeftBehind(async (earlier, database) => {
    await earlier.begin(anExtension({ id: "chg-odd" }));
    await execute(database, "update change set before_json = '{' where id = 'chg-odd'");
  });
  expect((await recover(ports)).map(({ id }) => id)).toEqual(["chg-cut"]);
  expect(await store.unreadableAbandoned()).toEqual([]);
  await execute(database, "update change set before_json = null where id = 'chg-odd'");
  expect(await store.find("chg-odd")).toMatchObject({ state: "unknown", subjectId: "ae-1" });
});

test("settles the others when one change fails, and retries that one the next time", async () => {
  const { store, ports } = await storeLeftBehind(async (earlier) => {
    await earlier.begin(anExtension({ id: "chg-stuck" }));
  });
  const settleAbandoned: Store["settleAbandoned"] = (id, ...rest) =>
    id === "chg-stuck" ? Promise.reject(new Error("disk full")) : store.settleAbandoned(id, ...rest);
  expect((await recover({ ...ports, store: { ...store, settleAbandoned } })).map(({ id }) => id)).toEqual(["chg-cut"]);
  expect((await recover(ports)).map(({ id }) => id)).toEqual(["chg-stuck"]);
});

test("an instance cannot settle a change that another performs", async () => {
  const database = await newDatabase();
  const [one, other] = [await openTestStore(database), await openTestStore(database)];
  await one.begin(aChange());
  await expect(other.settle("chg-1", aSettlement())).rejects.toThrow(NotPerformingError);
  await expect(one.settleAbandoned("chg-1", aSettlement())).rejects.toThrow(NotPerformingError);
  await one.settle("chg-1", aSettlement());
  expect(await one.find("chg-1")).toMatchObject({ state: "succeeded" });
});

test("an instance that was away can still settle its change after others marked it interrupted", async () => {
  const database = await newDatabase();
  const away = await openTestStore(database);
  await away.begin(aChange());
  const { ports } = await recoveringOn(database);
  await recover(ports);
  await expect(ports.store.settle("chg-1", aSettlement())).rejects.toThrow(NotPerformingError);
  await away.settle("chg-1", aSettlement());
  expect(await away.find("chg-1")).toMatchObject({ state: "succeeded", error: null, subjectId: "ae-1" });
  const states = (await away.transitions("chg-1")).map(({ state }) => state);
  expect(states).toEqual(["performing", "unknown", "succeeded"]);
  expect(await verify(database)).toMatchObject({ kind: "intact", length: 3 });
  await expect(away.settle("chg-1", aSettlement({ state: "failed" }))).rejects.toThrow(NotPerformingError);
});
