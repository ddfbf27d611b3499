import { setTimeout as wait } from "node:timers/promises";
import { expect, test } from "vitest";
import type { ChangePorts } from "../../src/changes/ports.ts";
import { exclusionCreate, exclusionEnd } from "../../src/commands/exclusion/exclusion.ts";
import { nextDue, nextDueAt } from "../store/next-due.ts";
import { createSignal } from "../support/signal.ts";
import { hourMs, noon } from "./build.ts";
import { startPipeline } from "./start-pipeline.ts";

const input = {
  resourceIds: ["i-0a1"],
  type: "amazon-ec2-instance",
  project: "p-dev",
  process: "stop",
  until: noon + 4 * hourMs,
  reason: "release",
};

/** Alice's request for an exclusion. */
async function startAsking(overrides: (store: ChangePorts["store"]) => Partial<ChangePorts["store"]> = () => ({})) {
  const parts = await startPipeline({ overrides });
  return { ...parts, ask: (key: string) => parts.run(exclusionCreate, input, key) };
}

test("settles a change as failed when its record was committed but the answer was lost", async () => {
  const { service, store, changes, ask } = await startAsking((real) => ({
    begin: async (change) => {
      await real.begin(change);
      throw new Error("Connection terminated unexpectedly");
    },
  }));
  expect(await ask("command:1")).toEqual({ kind: "not-recorded" });
  await changes.stop();
  expect(await store.find("chg-1")).toMatchObject({ state: "failed", error: { code: "NotRecorded" } });
  expect(await nextDueAt(store, 0)).toBeUndefined();
  expect(service.requests).toEqual([]);
});

test("a request that waits for another instance's lock ends unrecorded when Curfew stops", async () => {
  let tries = 0;
  const takeLock = async () => ++tries < 0;
  const { service, store, changes, run } = await startAsking(() => ({ takeLock }));
  const runs = ["command:1", "command:2"].map((key) => run(exclusionEnd, { exclusion: "ae-1" }, key));
  await expect.poll(() => tries).toBeGreaterThan(1);
  changes.stopWaiting();
  expect(await Promise.all(runs)).toEqual([{ kind: "not-recorded" }, { kind: "not-recorded" }]);
  expect(await store.list({ limit: 5 })).toEqual([]);
  expect(service.requests).toEqual([]);
});

test("releases each lock that it could not release later, although another is waited for, and stops with Curfew", async () => {
  const released: string[] = [];
  const later = new Set<string>();
  let isBroken = true;
  const { changes, run } = await startAsking((real) => ({
    takeLock: async (key) => {
      if (isBroken) return real.takeLock(key);
      later.add(key);
      // Another instance has taken the first.
      return key !== "exclusion:ae-1" && real.takeLock(key);
    },
    releaseLock: async (key) => {
      if (isBroken) throw new Error("Connection terminated unexpectedly");
      released.push(key);
      return real.releaseLock(key);
    },
  }));
  for (const exclusion of ["ae-1", "ae-2"]) await run(exclusionEnd, { exclusion }, exclusion);
  isBroken = false;
  await expect.poll(() => released, { timeout: 5000 }).toEqual(["exclusion:ae-2"]);
  expect([...later].sort()).toEqual(["exclusion:ae-1", "exclusion:ae-2"]);
  changes.stopWaiting();
  later.clear();
  // Longer than the pause before the next try.
  await wait(1500);
  expect(later.size).toBe(0);
});

test("changes of one thing take the same lock however its id is written", async () => {
  const keys = new Set<string>();
  const takeLock = async (key: string) => keys.add(key).size < 0;
  const { changes, run } = await startAsking(() => ({ takeLock }));
  const runs = ["ae-1", "AE-1"].map((exclusion) => run(exclusionEnd, { exclusion }, exclusion));
  await expect.poll(() => keys.size).toBeGreaterThan(0);
  changes.stopWaiting();
  await Promise.all(runs);
  expect([...keys]).toEqual(["exclusion:ae-1"]);
});

test("a check authorizes a request and does nothing", async () => {
  const { service, store, changes, context } = await startAsking();
  const asked = { command: exclusionCreate, input, context: context() };
  expect(await changes.check(asked)).toMatchObject({ kind: "authorized" });
  expect(service.requests).toEqual([]);
  expect(await store.list({ limit: 5 })).toEqual([]);
});

test("removes an exclusion from the directory when the service no longer knows it", async () => {
  const { service, store, ask, run } = await startAsking();
  await ask("command:1");
  const [made] = await store.liveExclusions(noon);
  service.account.exclusions.clear();
  const ended = await run(exclusionEnd, { exclusion: made?.id }, "press:1");
  expect(ended).toMatchObject({ kind: "settled", change: { state: "failed" } });
  expect(await store.liveExclusions(noon)).toEqual([]);
});

test("keeps the subject in the directory after a 404 that is not about it", async () => {
  const { service, store, ask, run } = await startAsking();
  await ask("command:1");
  const [made] = await store.liveExclusions(noon);
  service.faults.next({ kind: "garbage", operation: "DeleteActionExclusion", status: 404 });
  const ended = await run(exclusionEnd, { exclusion: made?.id }, "press:1");
  expect(ended).toMatchObject({ kind: "settled", change: { state: "failed" } });
  expect(await store.liveExclusions(noon)).toHaveLength(1);
});

test("leaves an outcome unknown that was found but could not be saved", async () => {
  let isFull = true;
  const { service, ask, changes, context } = await startAsking((each) => ({
    settleUnknown: async (...found) => {
      if (isFull) throw new Error("disk full");
      await each.settleUnknown(...found);
    },
  }));
  service.faults.next({ kind: "reset-before", times: 4 });
  const outcome = await ask("command:1");
  const changeId = outcome.kind === "settled" ? outcome.change.id : "";
  const report = () => changes.outcomes.report(changeId, "not-done", context());
  expect(await report()).toMatchObject({ kind: "still-unknown", change: { state: "unknown" } });
  isFull = false;
  expect(await report()).toMatchObject({ kind: "known", change: { state: "failed" } });
});

/** A pipeline whose database fails to record an outcome this many times. */
async function startFailingToSettle(failures: number) {
  const { given: isTaken, give: taken } = createSignal();
  let left = failures;
  const parts = await startAsking((store) => ({
    settle: async (...outcome) => {
      if (left-- > 0) throw new Error("disk full");
      await store.settle(...outcome);
      taken();
    },
  }));
  return { ...parts, isTaken };
}

test("records and announces a late outcome as soon as the database takes it", async () => {
  const { store, ask, isTaken } = await startFailingToSettle(2);
  expect(await ask("command:1")).toMatchObject({ kind: "outcome-not-recorded" });
  await isTaken;
  expect(await store.find("chg-1")).toMatchObject({ state: "succeeded" });
  expect(await nextDue(store, noon)).toMatchObject({ changeId: "chg-1", kind: "card" });
});

test("records a late outcome before the next change, or when Curfew stops", async () => {
  const next = await startFailingToSettle(1);
  await next.ask("command:1");
  expect(await next.ask("command:1")).toMatchObject({ kind: "repeated", change: { state: "succeeded" } });
  const last = await startFailingToSettle(1);
  await last.ask("command:1");
  await last.changes.stop();
  expect(await last.store.find("chg-1")).toMatchObject({ state: "succeeded" });
});
