import { expect, onTestFinished, test } from "vitest";
import type { Change } from "../../src/changes/change.ts";
import { type ChangePorts, createChanges } from "../../src/changes/changes.ts";
import { createReadService } from "../../src/changes/read-service.ts";
import { exclusionCreate, exclusionEnd } from "../../src/commands/exclusion.ts";
import { startSandboxService } from "../../src/sandbox/service/start-sandbox-service.ts";
import { createTestClient } from "../service/test-client.ts";
import { openTestStore } from "../store/open-test-store.ts";
import { aContext, hourMs, noon, quietLog, someSettings } from "./build.ts";

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
  const service = await startSandboxService({ now: () => noon });
  onTestFinished(() => service.close());
  const { client } = createTestClient(service.baseUrl, { apiKey: service.apiKey });
  const store = await openTestStore();
  let ids = 0;
  let kicks = 0;
  const changes = createChanges({
    store: { ...store, ...overrides(store) },
    service: client,
    read: createReadService(client, store, () => noon),
    secretFiles: { read: async () => ({ kind: "unreadable", reason: "there are none" }) },
    settings: () => someSettings(),
    now: () => noon,
    newId: () => `chg-${++ids}`,
    log: quietLog,
    kick: () => kicks++,
  });
  const ask = (deliveryKey: string, facts: Partial<Change["input"]> = {}) =>
    changes.run({
      command: exclusionCreate,
      input: { ...input, ...facts },
      context: aContext({ known: store }),
      deliveryKey,
    });
  return { service, store, changes, ask, kicks: () => kicks };
}

test("a change is performed, remembered with its owner, settled and handed on to be told", async () => {
  const { service, store, ask, kicks } = await startPipeline();
  const outcome = await ask("command:1");
  expect(outcome).toMatchObject({ kind: "settled", change: { id: "chg-1", state: "succeeded", reason: "release" } });
  const subjectId = outcome.kind === "settled" ? outcome.change.subjectId : null;
  expect(await store.get("exclusion", subjectId ?? "")).toMatchObject({ ownerId: "U01ALICE", projectId: "p-dev" });
  expect(await store.find("chg-1")).toMatchObject({ state: "succeeded", subjectId });
  expect(await store.nextDue(noon)).toMatchObject({ changeId: "chg-1", kind: "card" });
  expect(service.requests).toHaveLength(1);
  expect(kicks()).toBe(1);
});

test("a delivery that comes twice, even at once, reaches the service once", async () => {
  const { service, ask } = await startPipeline();
  const outcomes = await Promise.all([ask("command:1"), ask("command:1")]);
  expect(outcomes.map(({ kind }) => kind).sort()).toEqual(["repeated", "settled"]);
  expect(service.requests).toHaveLength(1);
});

test("when it cannot be written down beforehand, nothing is sent", async () => {
  const begin = () => Promise.reject(new Error("disk full"));
  const { service, ask, kicks } = await startPipeline(() => ({ begin }));
  expect(await ask("command:1")).toEqual({ kind: "not-recorded" });
  expect(service.requests).toEqual([]);
  expect(kicks()).toBe(0);
});

test("when its outcome cannot be written down, the outcome is told all the same and the row stays under way", async () => {
  const settle = () => Promise.reject(new Error("disk full"));
  const { store, ask } = await startPipeline(() => ({ settle }));
  expect(await ask("command:1")).toMatchObject({ kind: "outcome-not-recorded", change: { state: "succeeded" } });
  expect((await store.performing()).map(({ id }) => id)).toEqual(["chg-1"]);
});

test("what is refused or invalid is neither recorded nor sent", async () => {
  const { service, store, ask } = await startPipeline();
  expect(await ask("command:1", { project: "p-prod" })).toMatchObject({ kind: "refused" });
  expect(await ask("command:2", { until: noon - 1 })).toMatchObject({ kind: "invalid" });
  expect(await store.list({ limit: 5 })).toEqual([]);
  expect(service.requests).toEqual([]);
});

test("a check says what would be done and does nothing", async () => {
  const { service, store, changes } = await startPipeline();
  const context = aContext({ known: store });
  expect(await changes.check({ command: exclusionCreate, input, context })).toMatchObject({ kind: "authorised" });
  expect(service.requests).toEqual([]);
  expect(await store.list({ limit: 5 })).toEqual([]);
});

test("a lost answer makes the outcome unknown, and the owner is not made up", async () => {
  const { service, store, ask } = await startPipeline();
  service.faults.next({ kind: "reset-after", operation: "CreateActionExclusion" });
  expect(await ask("command:1")).toMatchObject({ kind: "settled", change: { state: "unknown", subjectId: null } });
  expect(await store.liveExclusions(noon)).toEqual([]);
});

test("an exclusion that the service no longer knows is forgotten", async () => {
  const { service, store, changes, ask } = await startPipeline();
  await ask("command:1");
  const [made] = await store.liveExclusions(noon);
  service.account.exclusions.clear();
  const context = aContext({ known: store });
  const end = { command: exclusionEnd, input: { exclusion: made?.id }, context, deliveryKey: "press:1" };
  expect(await changes.run(end)).toMatchObject({ kind: "settled", change: { state: "failed" } });
  expect(await store.liveExclusions(noon)).toEqual([]);
});
