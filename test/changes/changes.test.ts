import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import type { Change } from "../../src/changes/change.ts";
import { createChanges } from "../../src/changes/changes.ts";
import type { ChangePorts } from "../../src/changes/ports.ts";
import { exclusionCreate, exclusionEnd } from "../../src/commands/exclusion/exclusion.ts";
import { exclusionExtend } from "../../src/commands/exclusion/exclusion-extend.ts";
import { createReadService } from "../../src/directory/read-service.ts";
import { startSandboxService } from "../../src/sandbox/service/start-sandbox-service.ts";
import { anActor } from "../permissions/build.ts";
import { createTestClient } from "../service/test-client.ts";
import { nextDue } from "../store/next-due.ts";
import { openTestStore } from "../store/open-test-store.ts";
import { aContext, directoryOn, hourMs, noon, peopleFrom, quietLog, someSettings } from "./build.ts";

const input = {
  resourceIds: ["i-0a1"],
  type: "amazon-ec2-instance",
  project: "p-dev",
  process: "stop",
  until: noon + 4 * hourMs,
  reason: "release",
};

/** The pipeline on the embedded service and a real database. */
async function startPipeline(overrides: (store: ChangePorts["store"]) => Partial<ChangePorts["store"]> = () => ({})) {
  const clock = { now: noon };
  const service = await startSandboxService({ now: () => clock.now });
  onTestFinished(() => service.close());
  const { client } = createTestClient(service.baseUrl, { apiKey: service.apiKey });
  const store = await openTestStore();
  let ids = 0;
  let wakes = 0;
  const changes = createChanges({
    store: { ...store, ...overrides(store) },
    service: client,
    read: createReadService(client, store, () => noon),
    secretFiles: { read: async () => ({ kind: "unreadable", reason: "there are none" }) },
    settings: () => someSettings(),
    directory: directoryOn(store),
    people: peopleFrom(async () => anActor()),
    actorOf: async () => anActor(),
    withEmail: async () => undefined,
    now: () => noon,
    newId: () => `chg-${++ids}`,
    log: quietLog,
    wake: () => wakes++,
  });
  onTestFinished(() => changes.stop());
  const ask = (idempotencyKey: string, facts: Partial<Change["input"]> = {}) =>
    changes.run({
      command: exclusionCreate,
      input: { ...input, ...facts },
      context: aContext({ directory: directoryOn(store) }),
      idempotencyKey,
    });
  return { service, store, clock, changes, ask, wakes: () => wakes };
}

test("performs a change, stores its entity with the owner, settles and announces it", async () => {
  const { service, store, ask, wakes } = await startPipeline();
  const outcome = await ask("command:1");
  expect(outcome).toMatchObject({ kind: "settled", change: { id: "chg-1", state: "succeeded", reason: "release" } });
  const subjectId = outcome.kind === "settled" ? outcome.change.subjectId : null;
  expect(await store.get("exclusion", subjectId ?? "")).toMatchObject({ ownerId: "U01ALICE", projectId: "p-dev" });
  expect(await store.find("chg-1")).toMatchObject({ state: "succeeded", subjectId });
  expect(await nextDue(store, noon)).toMatchObject({ changeId: "chg-1", kind: "card" });
  expect(service.requests).toHaveLength(1);
  expect(wakes()).toBe(1);
});

test("sends concurrent requests with the same key to the service once", async () => {
  const { service, ask } = await startPipeline();
  const outcomes = await Promise.all([ask("command:1"), ask("command:1")]);
  expect(outcomes.map(({ kind }) => kind).sort()).toEqual(["repeated", "settled"]);
  expect(service.requests).toHaveLength(1);
});

test("sends nothing when the change cannot be recorded", async () => {
  const begin = () => Promise.reject(new Error("disk full"));
  const { service, ask, wakes } = await startPipeline(() => ({ begin }));
  expect(await ask("command:1")).toEqual({ kind: "not-recorded" });
  expect(service.requests).toEqual([]);
  expect(wakes()).toBe(0);
});

test("settles a change as failed when its record was committed but the answer was lost", async () => {
  const { service, store, changes, ask } = await startPipeline((real) => ({
    begin: async (change) => {
      await real.begin(change);
      throw new Error("Connection terminated unexpectedly");
    },
  }));
  expect(await ask("command:1")).toEqual({ kind: "not-recorded" });
  await changes.stop();
  expect(await store.find("chg-1")).toMatchObject({ state: "failed", error: { code: "NotRecorded" } });
  expect(await store.nextDueAt(0)).toBeUndefined();
  expect(service.requests).toEqual([]);
});

test("answers with an outcome that cannot be recorded, and leaves the row as performing", async () => {
  const settle = () => Promise.reject(new Error("disk full"));
  const { store, ask } = await startPipeline(() => ({ settle }));
  expect(await ask("command:1")).toMatchObject({ kind: "outcome-not-recorded", change: { state: "succeeded" } });
  expect(await store.find("chg-1")).toMatchObject({ state: "performing" });
});

test("a request that waits for another instance's lock ends unrecorded when Curfew stops", async () => {
  let tries = 0;
  const takeLock = async () => ++tries < 0;
  const { service, store, changes } = await startPipeline(() => ({ takeLock }));
  const context = aContext({ directory: directoryOn(store) });
  const given = { command: exclusionEnd, input: { exclusion: "ae-1" }, context };
  const runs = [
    changes.run({ ...given, idempotencyKey: "command:1" }),
    changes.run({ ...given, idempotencyKey: "command:2" }),
  ];
  await expect.poll(() => tries).toBeGreaterThan(1);
  changes.stopWaiting();
  expect(await Promise.all(runs)).toEqual([{ kind: "not-recorded" }, { kind: "not-recorded" }]);
  expect(await store.list({ limit: 5 })).toEqual([]);
  expect(service.requests).toEqual([]);
});

test("changes of one thing take the same lock however its id is written", async () => {
  const keys = new Set<string>();
  const takeLock = async (key: string) => keys.add(key).size < 0;
  const { store, changes } = await startPipeline(() => ({ takeLock }));
  const context = aContext({ directory: directoryOn(store) });
  const runs = ["ae-1", "AE-1"].map((exclusion) =>
    changes.run({ command: exclusionEnd, input: { exclusion }, context, idempotencyKey: exclusion }),
  );
  await expect.poll(() => keys.size).toBeGreaterThan(0);
  changes.stopWaiting();
  await Promise.all(runs);
  expect([...keys]).toEqual(["exclusion:ae-1"]);
});

test("neither records nor sends a refused or invalid request", async () => {
  const { service, store, ask } = await startPipeline();
  expect(await ask("command:1", { project: "p-prod" })).toMatchObject({ kind: "refused" });
  expect(await ask("command:2", { until: noon - 1 })).toMatchObject({ kind: "invalid" });
  expect(await store.list({ limit: 5 })).toEqual([]);
  expect(service.requests).toEqual([]);
});

test("a check authorizes a request and does nothing", async () => {
  const { service, store, changes } = await startPipeline();
  const context = aContext({ directory: directoryOn(store) });
  expect(await changes.check({ command: exclusionCreate, input, context })).toMatchObject({ kind: "authorized" });
  expect(service.requests).toEqual([]);
  expect(await store.list({ limit: 5 })).toEqual([]);
});

test("settles a creation as unknown when its answer is lost, and stores no entity", async () => {
  const { service, store, ask } = await startPipeline();
  service.faults.next({ kind: "reset-after", operation: "CreateActionExclusion" });
  expect(await ask("command:1")).toMatchObject({ kind: "settled", change: { state: "unknown", subjectId: null } });
  expect(await store.liveExclusions(noon)).toEqual([]);
});

test("removes an exclusion from the directory when the service no longer knows it", async () => {
  const { service, store, changes, ask } = await startPipeline();
  await ask("command:1");
  const [made] = await store.liveExclusions(noon);
  service.account.exclusions.clear();
  const context = aContext({ directory: directoryOn(store) });
  const end = { command: exclusionEnd, input: { exclusion: made?.id }, context, idempotencyKey: "press:1" };
  expect(await changes.run(end)).toMatchObject({ kind: "settled", change: { state: "failed" } });
  expect(await store.liveExclusions(noon)).toEqual([]);
});

test("keeps the subject in the directory after a 404 that is not about it", async () => {
  const { service, store, changes, ask } = await startPipeline();
  await ask("command:1");
  const [made] = await store.liveExclusions(noon);
  service.faults.next({ kind: "garbage", operation: "DeleteActionExclusion", status: 404 });
  const context = aContext({ directory: directoryOn(store) });
  const end = { command: exclusionEnd, input: { exclusion: made?.id }, context, idempotencyKey: "press:1" };
  expect(await changes.run(end)).toMatchObject({ kind: "settled", change: { state: "failed" } });
  expect(await store.liveExclusions(noon)).toHaveLength(1);
});

test("runs two changes of one exclusion in sequence, the second on the first's result", async () => {
  const { store, clock, changes, ask } = await startPipeline();
  await ask("command:1");
  const [made] = await store.liveExclusions(noon);
  clock.now = noon + 1000;
  const extend = (forMs: number) =>
    changes.run({
      command: exclusionExtend,
      input: { exclusion: made?.id, until: { forMs } },
      context: aContext({ directory: directoryOn(store) }),
      idempotencyKey: `command:extend-${forMs}`,
    });
  await Promise.all([extend(hourMs), extend(2 * hourMs)]);
  const extended = (await store.about("exclusion", made?.id ?? "")).slice(1);
  // Either of the two may be first.
  const [first, second] = extended.toSorted((one, other) => endIn(one.before).localeCompare(endIn(other.before)));
  expect(endIn(first?.before)).toBe(new Date(noon + 4 * hourMs).toISOString());
  expect(endIn(second?.before)).toBe(endIn(first?.answer));
  expect((await store.liveExclusions(noon))[0]?.body.expiryDate).toBe(new Date(noon + 7 * hourMs).toISOString());
});

test("leaves an outcome unknown that was found but could not be saved", async () => {
  let isFull = true;
  const { service, store, ask, changes } = await startPipeline((each) => ({
    settleUnknown: async (...found) => {
      if (isFull) throw new Error("disk full");
      await each.settleUnknown(...found);
    },
  }));
  service.faults.next({ kind: "reset-before", times: 4 });
  const outcome = await ask("command:1");
  const context = aContext({ directory: directoryOn(store) });
  const changeId = outcome.kind === "settled" ? outcome.change.id : "";
  const report = () => changes.outcomes.report(changeId, "not-done", context);
  expect(await report()).toMatchObject({ kind: "still-unknown", change: { state: "unknown" } });
  isFull = false;
  expect(await report()).toMatchObject({ kind: "known", change: { state: "failed" } });
});

const endIn = (exclusion: unknown) => z.object({ expiryDate: z.string() }).parse(exclusion).expiryDate;

/** A pipeline whose database fails to record an outcome this many times. */
async function startFailingToSettle(failures: number) {
  let taken = (): void => undefined;
  const isTaken = new Promise<void>((resolve) => {
    taken = resolve;
  });
  let left = failures;
  const parts = await startPipeline((store) => ({
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
