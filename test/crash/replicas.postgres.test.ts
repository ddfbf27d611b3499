import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { inWords, judge } from "./judge.ts";
import { askAndRecord } from "./moments.ts";
import { patienceMs } from "./patience.ts";
import { type Bot, openScene, type Scene } from "./scene.ts";

const operation = "CreateActionExclusion";
const people = 100;
const kills = 2;

describe("two replicas on one database, one of them killed", { timeout: 3 * patienceMs }, () => {
  let scene: Scene;
  let living: Bot;
  let dying: Bot;
  beforeAll(async () => {
    scene = await openScene();
    living = await scene.start();
    dying = await scene.start();
  }, patienceMs);
  afterAll(() => scene.close());

  it("the other settles what the dead one left, tells each asker once, and does nothing twice", async () => {
    for (let kill = 0; kill < kills; kill++) {
      let letGo = (): void => undefined;
      const until = new Promise<void>((resolve) => {
        letGo = resolve;
      });
      // Each of them has eight on their way to the service, and others waiting behind them.
      scene.service.faults.next({ kind: "held", operation, until, acts: "before", times: 8 });
      scene.service.faults.next({ kind: "held", operation, until, acts: "after", times: 8 });
      await askAndRecord(scene, people);
      await dying.kill();
      letGo();
      await scene.settle();
      expect(living.process.output).toContain("a change was interrupted: its outcome is unknown");
      dying = await scene.start();
    }
    const verdict = await judge(scene, scene.asked);
    process.stdout.write(`crash two replicas, one killed, ${kills} times: ${inWords(verdict)}\n`);
    expect(verdict.wrongs).toEqual([]);
    expect(verdict.counts).toMatchObject({
      twice: 0,
      told: kills * people,
      toldTwice: 0,
      cards: kills * people,
      cardsTwice: 0,
    });
    expect(verdict.counts.unknown).toBeGreaterThanOrEqual(people);
  });
});
