import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import type { Fault } from "../../src/sandbox/service/start-sandbox-service.ts";
import { createSignal } from "../support/signal.ts";
import type { Passage } from "../support/tcp-gate.ts";
import type { CrashRequest } from "./ask.ts";
import { judge, summaryOf, type Verdict } from "./judge.ts";
import { openScene, type Scene } from "./scene.ts";
import { waitMs } from "./wait-ms.ts";

const operation = "CreateActionExclusion";
const people = 27;
/** Per operation while it is quick (call-semaphore.ts). */
const maxInFlight = 24;

describe("the service in trouble", { timeout: 2 * waitMs }, () => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await openScene();
    await scene.start();
  }, waitMs);
  afterEach(() => {
    scene.gate.set("open");
    scene.service.faults.clear();
  });
  afterAll(() => scene.close());

  const received = (): number => scene.service.requests.filter((each) => each.operation === operation).length;

  const judged = async (what: string, requests: readonly CrashRequest[]): Promise<Verdict> => {
    await scene.settle();
    const verdict = await judge(scene, requests);
    process.stdout.write(`crash service ${what}: ${summaryOf(verdict)}\n`);
    expect(verdict.violations).toEqual([]);
    expect(verdict.counts).toMatchObject({
      requests: people,
      twice: 0,
      notified: people,
      notifiedTwice: 0,
      cardsTwice: 0,
    });
    return verdict;
  };

  it("resetting, refusing and answering garbage: every requester reads the known outcome", async () => {
    const faults: readonly Fault[] = [
      { kind: "reset-before" },
      { kind: "reset-after" },
      { kind: "status", status: 500 },
      { kind: "status", status: 503 },
      { kind: "status", status: 403 },
      { kind: "status", status: 429, retryAfterSeconds: 1 },
      { kind: "garbage" },
      { kind: "garbage", status: 502 },
      { kind: "latency", ms: 20 },
    ];
    for (let request = 0; request < people; request++) {
      const fault = faults[request % faults.length];
      if (fault) scene.service.faults.next({ ...fault, operation });
    }
    const { counts } = await judged("resetting, refusing, answering garbage", await scene.ask(people));
    expect(Math.min(counts.succeeded, counts.failed, counts.unknown)).toBeGreaterThan(0);
  });

  it("slower than Curfew's timeout: every requester reads that the outcome is unknown", async () => {
    const late = createSignal();
    const until = late.given;
    scene.service.faults.next({ kind: "held", operation, until, acts: "before", times: maxInFlight / 2 });
    scene.service.faults.next({ kind: "held", operation, until, acts: "after", times: maxInFlight / 2 });
    const earlier = received();
    const requests = await scene.ask(people);
    await vi.waitUntil(async () => (await scene.count("performing")) === people, { timeout: waitMs });
    // A call that has not arrived would fail rather than time out.
    await vi.waitUntil(() => received() === earlier + maxInFlight, { timeout: waitMs });
    // Calls in flight time out, then the waiting ones go.
    scene.clock.advance(16_000);
    const { counts } = await judged("slower than Curfew's timeout", requests);
    late.give();
    expect(counts).toMatchObject({ unknown: maxInFlight, succeeded: people - maxInFlight });
  });

  it.each<readonly [string, Passage, object]>([
    ["that resets every connection", "reset", { succeeded: 0 }],
    ["that garbles the answers", "garbled", { unknown: people }],
    ["that cuts the answers off in their head", { answerBytes: 100 }, { unknown: people }],
    ["that cuts the answers off in their body", { answerBytes: 300 }, { succeeded: people }],
  ])("behind a network %s: every requester reads the known outcome", async (what, passage, expected) => {
    scene.gate.set(passage);
    const { counts } = await judged(`behind a network ${what}`, await scene.ask(people));
    expect(counts).toMatchObject(expected);
  });
});
