import { describe, expect, test } from "vitest";
import { z } from "zod";
import { askingEffects } from "../../src/changes/authorize/new-change.ts";
import type { Change, ServiceChange } from "../../src/changes/change.ts";
import { jobKinds, type NewJob } from "../../src/changes/job.ts";
import { type HistoryEntry, openHistory } from "../../src/store/history/verify-history.ts";
import type { Store } from "../../src/store/open-store.ts";
import { aChange, aDecision, anApproval, aWaiting, hourMs, minuteMs, noon } from "../changes/build.ts";
import { execute } from "../support/execute.ts";
import { newDatabase } from "../support/new-database.ts";
import { verify } from "./history-file.ts";
import { nextDue, takeJob } from "./next-due.ts";
import { openTestStore } from "./open-test-store.ts";

const noEffects = () => ({});
const kindsDue = async (store: Store, now = noon): Promise<readonly string[]> => {
  const kinds: string[] = [];
  for (let due = await nextDue(store, now); due; due = await nextDue(store, now)) {
    kinds.push(`${due.kind} ${due.to}`);
    await store.markSent(due.id, undefined, now);
  }
  return kinds;
};
/** Takes all jobs, in order. */
const jobsIn = async (database: string): Promise<readonly NewJob[]> => {
  const store = await openTestStore(database, { now: () => noon + 1000 * hourMs });
  const jobs: NewJob[] = [];
  for (let job = await takeJob(store); job; job = await takeJob(store)) {
    const { kind, subjectId, dueAt } = job;
    jobs.push({ kind: z.enum(jobKinds).parse(kind), subjectId, dueAt });
  }
  return jobs;
};

async function openWaiting(given?: string, facts: Partial<ServiceChange> = {}) {
  const file = given ?? (await newDatabase());
  const store = await openTestStore(file);
  const change = aWaiting(facts);
  await store.begin(change, await askingEffects(change, store));
  return { file, store, change };
}

describe("a change that waits for approval", () => {
  test("reads back as written, with its card and its jobs", async () => {
    const { file, store, change } = await openWaiting();
    expect(await store.find("chg-1")).toEqual(change);
    expect(await store.waiting()).toEqual([change]);
    expect(await store.transitions("chg-1")).toEqual([{ state: "awaiting-approval", at: noon }]);
    expect(await kindsDue(store)).toEqual(["card C0SEC"]);
    expect(await jobsIn(file)).toEqual([
      { kind: "approval-reminder", subjectId: "chg-1", dueAt: noon + 2 * hourMs },
      { kind: "approval-reminder", subjectId: "chg-1", dueAt: noon + 3.6 * hourMs },
      { kind: "approval-expiry", subjectId: "chg-1", dueAt: noon + 4 * hourMs },
    ]);
  });

  test.each(["denied", "withdrawn", "expired"] as const)("counts as acted on when it is %s", async (state) => {
    const { store, change } = await openWaiting();
    if (state === "denied") await store.decide("chg-1", aDecision({ verdict: "denied" }), noEffects);
    else await store.move("chg-1", { from: ["awaiting-approval"], to: state, at: noon });
    expect(await store.actedOn(change.idempotencyKey)).toMatchObject({ id: "chg-1", state });
    expect(await store.waiting()).toEqual([]);
  });
});

describe("a decision", () => {
  test("approves the change when it is the last one needed, with that state's effects", async () => {
    const { file, store } = await openWaiting(undefined, { approval: anApproval({ count: 2 }) });
    const states: string[] = [];
    const effects = (state: Change["state"]) => {
      states.push(state);
      return state === "approved"
        ? { jobs: [{ kind: "approved-change", subjectId: "chg-1", dueAt: noon } as const] }
        : {};
    };
    expect(await store.decide("chg-1", aDecision({ note: "ok" }), effects)).toBe("awaiting-approval");
    const dave = aDecision({ approverId: "U04DAVE", approverName: "Dave", at: noon + 2 * minuteMs });
    expect(await store.decide("chg-1", dave, effects)).toBe("approved");
    expect(states).toEqual(["awaiting-approval", "approved"]);
    expect(await store.find("chg-1")).toMatchObject({
      state: "approved",
      settledAt: null,
      decisions: [aDecision({ note: "ok" }), dave],
    });
    expect((await jobsIn(file)).map(({ kind }) => kind)).toContain("approved-change");
    expect((await store.transitions("chg-1")).map(({ state }) => state)).toEqual([
      "awaiting-approval",
      "awaiting-approval",
      "approved",
    ]);
    expect(await verify(file)).toMatchObject({ kind: "intact", length: 3 });
  });

  test("counts once per approver, and not at all after the change is decided", async () => {
    const { file, store } = await openWaiting(undefined, { approval: anApproval({ count: 2 }) });
    await store.decide("chg-1", aDecision(), noEffects);
    expect(await store.decide("chg-1", aDecision(), noEffects)).toBeUndefined();
    expect(await store.decide("chg-1", aDecision({ verdict: "denied" }), noEffects)).toBeUndefined();
    const denied = aDecision({ approverId: "U04DAVE", verdict: "denied", note: "no" });
    expect(await store.decide("chg-1", denied, noEffects)).toBe("denied");
    expect(await store.find("chg-1")).toMatchObject({ state: "denied", settledAt: denied.at });
    expect(await store.decide("chg-1", aDecision({ approverId: "U01ALICE" }), noEffects)).toBeUndefined();
    expect(await store.decide("chg-none", aDecision(), noEffects)).toBeUndefined();
    expect(await verify(file)).toMatchObject({ kind: "intact", length: 3 });
  });

  test("approves the change once, however many come concurrently", async () => {
    const { file, store } = await openWaiting(undefined, { approval: anApproval({ count: 3 }) });
    const deciders = Array.from({ length: 12 }, (_each, index) => aDecision({ approverId: `U${index % 8}` }));
    const states = await Promise.all(deciders.map((decision) => store.decide("chg-1", decision, noEffects)));
    expect(states.filter((state) => state === "approved")).toHaveLength(1);
    expect(states.filter((state) => state === "awaiting-approval")).toHaveLength(2);
    expect((await store.find("chg-1"))?.decisions).toHaveLength(3);
    expect(await verify(file)).toMatchObject({ kind: "intact", length: 4 });
  });

  test("hides only its own change when it is unreadable", async () => {
    const file = await newDatabase();
    const { store } = await openWaiting(file);
    await store.decide("chg-1", aDecision(), noEffects);
    await store.begin(aChange({ id: "chg-2" }));
    await execute(file, "update decision set verdict = 'maybe'");
    expect((await store.list({ limit: 5 })).map(({ id }) => id)).toEqual(["chg-2"]);
  });
});

describe("a step", () => {
  test("succeeds for one of several concurrent callers, and only from the given states", async () => {
    const { store } = await openWaiting();
    const take = () => store.move("chg-1", { from: ["approved"], to: "performing", at: noon });
    expect(await take()).toBe(false);
    await store.decide("chg-1", aDecision(), noEffects);
    const taken = await Promise.all([take(), take(), take()]);
    expect(taken.filter(Boolean)).toHaveLength(1);
    expect(await store.find("chg-1")).toMatchObject({ state: "performing", settledAt: null });
  });

  test("keeps its error until the next step without one", async () => {
    const { file, store } = await openWaiting();
    await store.decide("chg-1", aDecision(), noEffects);
    const error = { code: "Unreachable", message: "Could not connect." };
    const steps = [
      { from: ["approved"], to: "performing", at: noon + 1 },
      { from: ["performing"], to: "approved", at: noon + 2, error },
    ] as const;
    for (const step of steps) await store.move("chg-1", step);
    expect(await store.find("chg-1")).toMatchObject({ state: "approved", error, settledAt: null });
    await store.move("chg-1", { from: ["approved"], to: "performing", at: noon + 3 });
    expect(await store.find("chg-1")).toMatchObject({ state: "performing", error: null });
    expect(await verify(file)).toMatchObject({ kind: "intact" });
  });
});

test("queues a reminder once per interval, and none after the decision", async () => {
  const { store } = await openWaiting();
  await kindsDue(store);
  const reminder = { changeId: "chg-1", kind: "reminder", to: "C0SEC", underChangeId: "chg-1" } as const;
  const at = noon + 2 * hourMs;
  await Promise.all([store.remind(reminder, at, at), store.remind(reminder, at, at + 1)]);
  expect(await kindsDue(store, at + 1)).toEqual(["reminder C0SEC"]);
  await store.remind(reminder, at + hourMs, at + hourMs);
  expect(await kindsDue(store, at + hourMs)).toEqual(["reminder C0SEC"]);
  await store.decide("chg-1", aDecision(), noEffects);
  await store.remind(reminder, at + 2 * hourMs, at + 2 * hourMs);
  expect(await kindsDue(store, at + 2 * hourMs)).toEqual([]);
});

describe("the history", () => {
  const denied = async () => {
    const { file, store } = await openWaiting(undefined, { approval: anApproval({ count: 2 }) });
    await store.decide("chg-1", aDecision({ note: "fine" }), noEffects);
    await store.decide("chg-1", aDecision({ approverId: "U04DAVE", verdict: "denied", note: "no" }), noEffects);
    return file;
  };

  test.each([
    [
      "an approver",
      "update decision set approver_name = 'Mallory' where approver_id = 'U03CAROL'",
      2,
      "decision approverName",
    ],
    ["a note", "update decision set note = 'really fine' where approver_id = 'U03CAROL'", 2, "decision note"],
    ["a verdict", "update decision set verdict = 'approved' where approver_id = 'U04DAVE'", 3, "decision verdict"],
    ["an approver's id", "update decision set approver_id = 'U09' where approver_id = 'U04DAVE'", 3, "decision"],
    ["a deleted decision", "delete from decision where approver_id = 'U04DAVE'", 3, "decision"],
    ["the approval", "update change set approval_json = '{\"count\":1}'", 1, "approval"],
  ])("shows the alteration of %s", async (_what, statement, sequence, named) => {
    const file = await denied();
    expect(await verify(file)).toMatchObject({ kind: "intact", length: 3 });
    await execute(file, statement);
    const reason = `the change itself was altered: ${named}`;
    expect(await verify(file)).toEqual({ kind: "broken", sequence, changeId: "chg-1", reason });
  });

  test("shows an added decision", async () => {
    const file = await denied();
    await execute(file, "insert into decision values ('chg-1', 'U09', 'Mallory', 'approved', null, 1)");
    expect(await verify(file)).toMatchObject({
      kind: "broken",
      reason: "the history has 2 decisions of approvers, but there are 3",
    });
  });

  test("contains the approval and each decision", async () => {
    const history = await openHistory(await denied());
    const entries: HistoryEntry[] = [];
    for await (const entry of history.entries()) entries.push(entry);
    await history.close();
    expect(entries.map(({ content }) => [content.state, content.decision?.approverId, content.decision?.note])).toEqual(
      [
        ["awaiting-approval", undefined, undefined],
        ["awaiting-approval", "U03CAROL", "fine"],
        ["denied", "U04DAVE", "no"],
      ],
    );
    expect(entries[0]?.content.change).toMatchObject({ approval: { rule: "approvals.0", count: 2 } });
  });
});
