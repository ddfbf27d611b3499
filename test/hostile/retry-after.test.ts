import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { createSlackHttp } from "../../src/slack/connection/slack-http.ts";
import { maxRetryAfterMs } from "../../src/time/retry-after.ts";
import { aChange, noon } from "../changes/build.ts";
import { answers, startRecordingService } from "../service/recording-service.ts";
import { callWithSample } from "../service/sample-inputs.ts";
import { createTestClient } from "../service/test-client.ts";
import { claimOne, unhurried } from "../store/next-due.ts";
import { openTestStore } from "../store/open-test-store.ts";
import { execute } from "../support/execute.ts";
import { cardsIn } from "../support/journey.ts";
import { newDatabase } from "../support/new-database.ts";
import { isOnPostgres } from "../support/on-postgres.ts";
import { type Curfew, startCurfew, unlimitedConfig } from "../support/start-curfew.ts";
import { createStoppedClock, createTimers } from "../support/stopped-time.ts";

const yearS = 31_536_000;
const hostile = [
  String(yearS),
  "9".repeat(30),
  "9".repeat(400),
  "1e9",
  "-1",
  "-5",
  String(-yearS),
  "0",
  "0.001",
  "NaN",
  "Infinity",
  "-Infinity",
  "0x7fffffff",
  "2147483648",
  "Wed, 01 Jan 3000 00:00:00 GMT",
  "Wednesday, 01-Jan-99 00:00:00 GMT",
  "Wed Jan  1 00:00:00 3000",
  "Thu, 01 Jan 1970 00:00:00 GMT",
  "3000-01-01T00:00:00Z",
  "",
  "soon",
];
const named = hostile.map((value) => [value.length > 40 ? `${value.slice(0, 40)}…` : value, value] as const);

describe("a channel that Slack rate-limits", () => {
  const clock = createStoppedClock(Date.now());
  const timers = createTimers(clock);
  let curfew: Curfew;
  beforeAll(async () => {
    const outbox = { schedule: timers.schedule };
    curfew = await startCurfew({ config: unlimitedConfig, now: clock.now, overrides: { outbox } });
  });
  afterAll(() => curfew.stop());

  // What differs between databases is how large a number they hold.
  it.each(isOnPostgres ? named.slice(0, 3) : named)(
    "gets its card within 15 minutes after a Retry-After of “%s”",
    async (_shown, retryAfter) => {
      const before = cardsIn(curfew.workspace, "ops").length;
      const calls = () => curfew.workspace.calls.filter(({ method }) => method === "chat.postMessage").length;
      const callsBefore = calls();
      curfew.workspace.faults.failNext("chat.postMessage", { retryAfter });
      const startedAt = clock.now();
      expect(await curfew.workspace.as("carol").type("/curfew exclude staging for 9h --another", "ops")).toEqual({
        ok: true,
      });
      await curfew.app.idle();
      while (cardsIn(curfew.workspace, "ops").length === before && timers.skip()) await curfew.app.idle();
      expect(cardsIn(curfew.workspace, "ops")).toHaveLength(before + 1);
      expect(clock.now() - startedAt).toBeGreaterThanOrEqual(1000);
      expect(clock.now() - startedAt).toBeLessThanOrEqual(maxRetryAfterMs + 1000);
      // One refused and one accepted request: no busy loop in between.
      expect(calls() - callsBefore).toBe(2);
    },
  );

  it("and all others recover within 15 minutes after every method was limited for a year", async () => {
    const before = cardsIn(curfew.workspace, "ops").length;
    curfew.workspace.faults.failNext("chat.postMessage", { retryAfter: String(yearS), times: 2 });
    const startedAt = clock.now();
    const ended = ["i-0a1", "i-0a2"].map((id) =>
      curfew.workspace.as("carol").type(`/curfew exclude ${id} for 9h --another`, "ops"),
    );
    expect(await Promise.all(ended)).toEqual([{ ok: true }, { ok: true }]);
    await curfew.app.idle();
    while (cardsIn(curfew.workspace, "ops").length < before + 2 && timers.skip()) await curfew.app.idle();
    expect(cardsIn(curfew.workspace, "ops")).toHaveLength(before + 2);
    expect(clock.now() - startedAt).toBeLessThanOrEqual(2 * maxRetryAfterMs + 2000);
  });
});

describe("a wait from the database", () => {
  const put = { changeId: "chg-1", kind: "card", to: "C1", underChangeId: null } as const;

  it.each([
    ["a year ahead", noon + yearS * 1000],
    ["at the end of what a number can hold", Number.MAX_SAFE_INTEGER],
    ["just beyond the longest", noon + maxRetryAfterMs + 1],
  ])("is ignored when it is %s", async (_when, dueAt) => {
    const database = await newDatabase();
    const store = await openTestStore(database);
    await store.begin(aChange());
    await store.queue([put, { ...put, to: "C2" }], noon);
    await execute(database, `update outbox set due_at = ${dueAt} where recipient = 'C1'`);
    expect(await claimOne(store, noon, 60_000, unhurried)).toMatchObject({ to: "C1" });
    expect(await claimOne(store, noon, 60_000, unhurried)).toMatchObject({ to: "C2" });
    expect(await claimOne(store, noon, 60_000, unhurried)).toBeUndefined();
  });

  it("is respected when Curfew itself could have recorded it", async () => {
    const store = await openTestStore();
    await store.begin(aChange());
    await store.queue([put], noon);
    const claimed = await claimOne(store, noon, 60_000, unhurried);
    await store.postpone(claimed?.id ?? 0, noon + maxRetryAfterMs, "ratelimited");
    expect(await claimOne(store, noon, 60_000, unhurried)).toBeUndefined();
    expect(await claimOne(store, noon + maxRetryAfterMs, 60_000, unhurried)).toMatchObject({ to: "C1" });
  });
});

describe("Slack's client", () => {
  it.each(named)("reports a wait of 1 second to 15 minutes for a Retry-After of “%s”", async (_shown, retryAfter) => {
    const slack = await startRecordingService(answers(429, {}, { "retry-after": retryAfter }));
    const { fetch, close } = createSlackHttp();
    onTestFinished(close);
    const seconds = (await fetch(slack.url, { method: "POST", body: "" })).headers.get("retry-after");
    expect(seconds).toMatch(/^\d{1,3}$/);
    expect(Number(seconds)).toBeGreaterThanOrEqual(1);
    expect(Number(seconds)).toBeLessThanOrEqual(maxRetryAfterMs / 1000);
  });

  it("reports a wait when Slack names none", async () => {
    const slack = await startRecordingService(answers(429));
    const { fetch, close } = createSlackHttp();
    onTestFinished(close);
    expect((await fetch(slack.url)).headers.get("retry-after")).toBe("30");
  });
});

describe("the scheduling service", () => {
  it.each(named)("never delays a call beyond its timeout for a Retry-After of “%s”", async (_shown, retryAfter) => {
    const service = await startRecordingService(answers(429, {}, { "retry-after": retryAfter }), answers(200, {}));
    const { client, waits } = createTestClient(service.url);
    const result = await callWithSample(client, "ModifyUser");
    expect(["succeeded", "failed"]).toContain(result.kind);
    for (const wait of waits) {
      expect(wait).toBeGreaterThanOrEqual(500);
      expect(wait).toBeLessThan(60_000);
    }
    // The previous call's wait does not delay the next one.
    expect((await callWithSample(client, "ModifyUser")).kind).toBe("succeeded");
  });
});
