import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createSignal } from "../support/signal.ts";
import { judge, summaryOf } from "./judge.ts";
import { type Bot, openScene, type Scene } from "./scene.ts";
import { waitMs } from "./wait-ms.ts";

const operation = "CreateActionExclusion";
/** Eight for each instance, which is what it has under way at most. */
const held = 24;

describe("three instances on one database, one killed and one added under load", { timeout: 4 * waitMs }, () => {
  let scene: Scene;
  let dying: Bot;
  beforeAll(async () => {
    scene = await openScene();
    await scene.start();
    await scene.start();
    dying = await scene.start();
  }, 2 * waitMs);
  afterAll(() => scene.close());

  it("lose no request, do none twice, and each of the instances takes its share", async () => {
    const before = await scene.ask(15);
    await scene.settle();
    const killed = createSignal();
    for (let call = 0; call < held; call++)
      scene.service.faults.next({ kind: "held", operation, until: killed.given, acts: call % 2 ? "before" : "after" });
    const asking = scene.ask(60, 15);
    const waiting = () => scene.service.requests.filter(({ status }) => status === undefined).length;
    await expect.poll(waiting, { timeout: waitMs }).toBeGreaterThanOrEqual(held);
    const [added] = await Promise.all([scene.start(), dying.kill()]);
    killed.give();
    const during = await asking;
    await scene.settle();
    const after = await scene.ask(24, 75);
    await scene.settle();
    expect([before, during].map((all) => all.filter(dying.got).length)).toEqual([5, 20]);
    expect(after.filter(added.got)).toHaveLength(8);
    const requests = [...before, ...during, ...after];
    const verdict = await judge(scene, requests);
    process.stdout.write(`crash three instances, one killed, one added: ${summaryOf(verdict)}\n`);
    expect(verdict.violations).toEqual([]);
    expect(verdict.counts).toMatchObject({ requests: 99, untraced: 0, twice: 0, failed: 0 });
    expect(verdict.counts.succeeded).toBeGreaterThanOrEqual(79);
    // What the killed one had posted and not noted.
    expect(verdict.counts.cardsTwice).toBeLessThanOrEqual(1);
  });
});
