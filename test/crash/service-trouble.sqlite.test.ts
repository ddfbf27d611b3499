import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import type { Fault } from "../../src/sandbox/service/faults.ts";
import { createSignal } from "../support/signal.ts";
import type { Passage } from "../support/tcp-gate.ts";
import type { Asked } from "./asked.ts";
import { inWords, judge, type Verdict } from "./judge.ts";
import { waitMs } from "./patience.ts";
import { openScene, type Scene } from "./scene.ts";

const operation = "CreateActionExclusion";
const people = 27;
/** Of one operation, while it is quick (call-semaphore.ts). */
const mostOnTheirWay = 24;

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

  const judged = async (what: string, asked: readonly Asked[]): Promise<Verdict> => {
    await scene.settle();
    const verdict = await judge(scene, asked);
    process.stdout.write(`crash service ${what}: ${inWords(verdict)}\n`);
    expect(verdict.wrongs).toEqual([]);
    expect(verdict.counts).toMatchObject({ asked: people, twice: 0, told: people, toldTwice: 0, cardsTwice: 0 });
    return verdict;
  };

  it("resetting before and after it acted, refusing, and answering garbage: everybody is told what is known", async () => {
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

  it("slower than Curfew waits: the outcome is unknown, and told so", async () => {
    const late = createSignal();
    const until = late.given;
    scene.service.faults.next({ kind: "held", operation, until, acts: "before", times: mostOnTheirWay / 2 });
    scene.service.faults.next({ kind: "held", operation, until, acts: "after", times: mostOnTheirWay / 2 });
    const asked = await scene.ask(people);
    await vi.waitUntil(async () => (await scene.count("performing")) === people, { timeout: waitMs });
    // Those on their way are given up, and then those that wait behind them go.
    scene.clock.advance(16_000);
    const { counts } = await judged("slower than Curfew waits", asked);
    late.give();
    expect(counts).toMatchObject({ unknown: mostOnTheirWay, succeeded: people - mostOnTheirWay });
  });

  it.each<readonly [string, Passage, object]>([
    ["that resets every connection", "reset", { succeeded: 0 }],
    ["that garbles the answers", "garbled", { unknown: people }],
    ["that cuts the answers off in their head", { answerBytes: 100 }, { unknown: people }],
    ["that cuts the answers off in their body", { answerBytes: 300 }, { succeeded: people }],
  ])("behind a network %s: everybody is told what is known", async (what, passage, expected) => {
    scene.gate.set(passage);
    const { counts } = await judged(`behind a network ${what}`, await scene.ask(people));
    expect(counts).toMatchObject(expected);
  });
});
