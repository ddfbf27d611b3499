import { expect, test } from "vitest";
import { aChange } from "../changes/build.ts";
import { openTestStore } from "../store/open-test-store.ts";
import { execute } from "../support/execute.ts";
import { newDatabase } from "../support/new-database.ts";

const steps = [-172_800_000, -3_600_000, 3_600_000, 172_800_000];

/** One instance with a change and a lock, and another that has seen its heartbeat. The test advances the other's time. */
async function anInstanceAndItsObserver() {
  const database = await newDatabase();
  let elapsed = 0;
  const one = await openTestStore(database);
  const other = await openTestStore(database, { elapsedMs: () => elapsed });
  await one.beat();
  await other.beat();
  await one.begin(aChange());
  await one.takeLock("user:u-1");
  const letPass = (ms: number) => {
    elapsed += ms;
  };
  /** Acts as if the database's clock was set the other way since the last heartbeats. */
  const setClock = (byMs: number) => execute(database, `update instance set seen_at = seen_at - ${byMs}`);
  return { one, other, letPass, setClock };
}

test.each(steps)(
  "a live instance keeps its changes and locks when the database's clock moves by %d ms",
  async (byMs) => {
    const { one, other, letPass, setClock } = await anInstanceAndItsObserver();
    await setClock(byMs);
    expect(await other.abandoned()).toEqual([]);
    for (let round = 0; round < 6; round++) {
      letPass(10_000);
      await one.beat();
      await other.beat();
      expect(await other.abandoned()).toEqual([]);
      expect(await other.takeLock("user:u-1")).toBe(false);
    }
  },
);

test.each(steps)(
  "a dead instance is noticed within 30 seconds when the database's clock moves by %d ms",
  async (byMs) => {
    const { other, letPass, setClock } = await anInstanceAndItsObserver();
    await setClock(byMs);
    expect(await other.abandoned()).toEqual([]);
    letPass(30_000);
    expect((await other.abandoned()).map(({ id }) => id)).toEqual(["chg-1"]);
    expect(await other.takeLock("user:u-1")).toBe(true);
  },
);
