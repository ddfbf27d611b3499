import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createSignal } from "../support/signal.ts";
import { judge, summaryOf } from "./judge.ts";
import { askAndRecord } from "./moments.ts";
import { type Bot, openScene, type Scene } from "./scene.ts";
import { waitMs } from "./wait-ms.ts";

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

  it("the other settles what the dead one left, notifies each requester once, and repeats nothing", async () => {
    const killed = createSignal();
    // Each has eight calls under way, and others waiting. On a slow machine held calls time out, and then the next ones are held.
    for (let call = 0; call < people; call++) {
      const acts = call % 2 === 0 ? "before" : "after";
      scene.service.faults.next({ kind: "held", operation: "CreateActionExclusion", until: killed.given, acts });
    }
    const requests = await askAndRecord(scene, people);
    await dying.kill();
    killed.give();
    await scene.settle();
    const verdict = await judge(scene, requests);
    process.stdout.write(`crash two replicas, one killed: ${summaryOf(verdict)}\n`);
    expect(verdict.violations).toEqual([]);
    expect(verdict.counts).toMatchObject({
      twice: 0,
      notified: people,
      notifiedTwice: 0,
      cards: people,
      cardsTwice: 0,
    });
    expect(verdict.counts.unknown).toBeGreaterThanOrEqual(requests.filter(dying.got).length);
    expect(living.process.output).toContain("a change was interrupted: its outcome is unknown");
  });
});
