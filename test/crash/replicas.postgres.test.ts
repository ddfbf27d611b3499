import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createSignal } from "../support/signal.ts";
import { inWords, judge } from "./judge.ts";
import { askAndRecord } from "./moments.ts";
import { waitMs } from "./patience.ts";
import { type Bot, openScene, type Scene } from "./scene.ts";

const people = 100;

describe("two replicas on one database, one of them killed", { timeout: 3 * waitMs }, () => {
  let scene: Scene;
  let living: Bot;
  let dying: Bot;
  beforeAll(async () => {
    scene = await openScene();
    living = await scene.start();
    dying = await scene.start();
  }, waitMs);
  afterAll(() => scene.close());

  it("the other settles what the dead one left, tells each requester once, and does nothing twice", async () => {
    const killed = createSignal();
    // Each of them has eight on their way to the service, and others waiting behind them.
    const held = { kind: "held", operation: "CreateActionExclusion", until: killed.given, times: 8 } as const;
    scene.service.faults.next({ ...held, acts: "before" });
    scene.service.faults.next({ ...held, acts: "after" });
    const asked = await askAndRecord(scene, people);
    await dying.kill();
    killed.give();
    await scene.settle();
    const verdict = await judge(scene, asked);
    process.stdout.write(`crash two replicas, one killed: ${inWords(verdict)}\n`);
    expect(verdict.wrongs).toEqual([]);
    expect(verdict.counts).toMatchObject({ twice: 0, told: people, toldTwice: 0, cards: people, cardsTwice: 0 });
    expect(verdict.counts.unknown).toBeGreaterThanOrEqual(asked.filter(dying.got).length);
    expect(living.process.output).toContain("a change was interrupted: its outcome is unknown");
  });
});
