import { describe, expect, test } from "vitest";
import { interruptedCode } from "../../../src/changes/perform/record-outcome.ts";
import type { ChangePorts } from "../../../src/changes/ports.ts";
import type { ChangeCommand } from "../../../src/commands/command.ts";
import { exclusionCreate, exclusionEnd } from "../../../src/commands/exclusion/exclusion.ts";
import { exclusionExtend } from "../../../src/commands/exclusion/exclusion-extend.ts";
import { anActor } from "../../permissions/build.ts";
import { aSettlement, hourMs, minuteMs, noon, someSettings } from "../build.ts";
import { startPipeline } from "../start-pipeline.ts";

const text = `
permissions:
  roles:
    engineer: { members: [S0ENGINEERS], allow: [reads, CreateActionExclusion, ModifyActionExclusion, DeleteActionExclusion] }
    admin: { members: [U03CAROL], allow: ["*"] }
approvals:
  - { operations: [CreateActionExclusion], approvers: [admin], expires: 1h, when: { longerThan: 8h } }
  - { operations: [DeleteActionExclusion], approvers: [admin], expires: 1h }
admins: { channel: C0ADMINS }
`;
const input = {
  resourceIds: ["i-0a1"],
  type: "amazon-ec2-instance",
  project: "p-dev",
  process: "stop",
  until: noon + 12 * hourMs,
} as const;
const carol = anActor({ userId: "U03CAROL", name: "Carol", groupIds: [] });
const actorOf = async (userId: string) => (userId === carol.userId ? carol : anActor());
const yes = { verdict: "approved", note: null } as const;

/** Alice requests and Carol approves. */
async function startAsking(overrides: (store: ChangePorts["store"]) => Partial<ChangePorts["store"]> = () => ({})) {
  const config = { text };
  const parts = await startPipeline({ settings: () => someSettings(config.text), actorOf, overrides });
  const ask = (facts: object = {}, command: ChangeCommand = exclusionCreate) =>
    parts.run(command, { ...input, ...facts });
  const approve = (id: string) => parts.changes.approvals.decide(id, yes, { actor: carol, channelId: null });
  return { ...parts, config, ask, approve };
}

describe("an approved change", () => {
  const madeExclusion = async () => {
    const parts = await startAsking();
    await parts.ask({ until: noon + 2 * hourMs });
    const [made] = await parts.store.liveExclusions(noon);
    await parts.ask({ exclusion: made?.id }, exclusionEnd);
    return { ...parts, id: made?.id ?? "" };
  };

  test("fails when the exclusion was extended since, even if the request is the same", async () => {
    const { service, ask, approve, id } = await madeExclusion();
    await ask({ exclusion: id, until: { forMs: hourMs } }, exclusionExtend);
    const outcome = await approve("chg-2");
    expect(outcome).toMatchObject({ kind: "decided", change: { state: "failed", error: { code: "ChangedSince" } } });
    expect(service.account.exclusions.has(id)).toBe(true);
  });
});

test("fails a change that did not reach the service and cannot be stored for a retry", async () => {
  let isFull = false;
  const { service, store, clock, changes, ask, approve } = await startAsking((inner) => ({
    move: (...step) =>
      isFull && step[1].to === "approved" ? Promise.reject(new Error("disk full")) : inner.move(...step),
  }));
  await ask();
  isFull = true;
  await service.faults.down();
  expect(await approve("chg-1")).toMatchObject({ change: { state: "failed", error: { code: "Unreachable" } } });
  await changes.stop();
  expect(await store.find("chg-1")).toMatchObject({ state: "failed" });
  await service.faults.up();
  await changes.approvals.onJob("approved-change", "chg-1", clock.now);
  expect(service.requests).toEqual([]);
});

test("retries a change that was stored for a retry although the database's answer was lost", async () => {
  const { service, store, clock, changes, ask, approve } = await startAsking((inner) => ({
    move: async (...step) => {
      const isMoved = await inner.move(...step);
      if (step[1].to === "approved") throw new Error("Connection terminated unexpectedly");
      return isMoved;
    },
  }));
  await ask();
  await service.faults.down();
  expect(await approve("chg-1")).toMatchObject({ change: { state: "approved", error: { code: "Unreachable" } } });
  await service.faults.up();
  clock.now = noon + minuteMs;
  await changes.approvals.onJob("approved-change", "chg-1", clock.now);
  expect(await store.find("chg-1")).toMatchObject({ state: "succeeded" });
});

test("fails an unreached change that was marked as interrupted, and does not retry it", async () => {
  const { service, store, ask, approve } = await startAsking((inner) => ({
    move: async (id, step, effects) => {
      if (step.to === "approved") {
        const error = { code: interruptedCode, message: "Curfew was stopped while this was under way." };
        await inner.settle(id, aSettlement({ state: "unknown", answer: null, subjectId: null, error }));
      }
      return inner.move(id, step, effects);
    },
  }));
  await ask();
  await service.faults.down();
  expect(await approve("chg-1")).toMatchObject({ change: { state: "failed", error: { code: "Unreachable" } } });
  expect(await store.find("chg-1")).toMatchObject({ state: "failed" });
});

describe("a request that needs more approvals by now", () => {
  const stricter = text.replaceAll("expires: 1h", "expires: 1h, count: 2");

  test("is not called withdrawn where another approver was first", async () => {
    const { store, config, ask, approve } = await startAsking((inner) => ({
      move: async (id, step, effects) => {
        const first = { approverId: "U05FRANK", approverName: "Frank", ...yes, at: noon };
        if (step.to === "withdrawn")
          await inner.decide(id, first, () => ({ outbox: [] }), ["awaiting-approval"], "approved");
        return inner.move(id, step, effects);
      },
    }));
    await ask();
    config.text = stricter;
    expect(await approve("chg-1")).toMatchObject({ kind: "overtaken", change: { state: "approved" } });
    expect(await store.find("chg-1")).toMatchObject({ state: "approved" });
  });

  test("is withdrawn although another could not be", async () => {
    let moves = 0;
    const { store, config, changes, ask } = await startAsking((inner) => ({
      move: (...step) => (++moves === 1 ? Promise.reject(new Error("disk full")) : inner.move(...step)),
    }));
    await ask({ until: noon + 2 * hourMs });
    const [made] = await store.liveExclusions(noon);
    await ask({ exclusion: made?.id }, exclusionEnd);
    await ask({ resourceIds: ["i-0b2"] });
    config.text = stricter;
    await changes.approvals.withdrawOutdated();
    const states = [await store.find("chg-2"), await store.find("chg-3")].map((change) => change?.state);
    expect(states.toSorted()).toEqual(["awaiting-approval", "withdrawn"]);
  });
});

test("an approver may decide on a change whose subject cannot be read", async () => {
  let isUnreadable = false;
  const { store, changes, ask } = await startAsking((inner) => ({
    get: (...thing) => (isUnreadable ? Promise.reject(new Error("unreadable")) : inner.get(...thing)),
  }));
  await ask({ until: noon + 2 * hourMs });
  const [made] = await store.liveExclusions(noon);
  await ask({ exclusion: made?.id }, exclusionEnd);
  isUnreadable = true;
  expect(await changes.approvals.whyNot("chg-2", "approved", { actor: carol, channelId: null })).toBeUndefined();
});

test("a job that is outdated, too early, or for an unknown change does nothing", async () => {
  const { service, store, clock, changes, ask } = await startAsking();
  await ask();
  const states = async () => [(await store.find("chg-1"))?.state, service.requests.length];
  for (const kind of ["approved-change", "approval-expiry", "approval-reminder"] as const) {
    await changes.approvals.onJob(kind, "chg-1", clock.now);
    await changes.approvals.onJob(kind, "chg-none", clock.now);
    expect(await states()).toEqual(["awaiting-approval", 0]);
  }
  clock.now = noon + 61 * minuteMs;
  await changes.approvals.onJob("approval-expiry", "chg-1", clock.now);
  await changes.approvals.onJob("approval-expiry", "chg-1", clock.now);
  expect(await states()).toEqual(["expired", 0]);
  expect((await store.transitions("chg-1")).map(({ state }) => state)).toEqual(["awaiting-approval", "expired"]);
});
