import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createRandom } from "../support/mangle.ts";
import { createSignal } from "../support/signal.ts";
import { judge, summaryOf, type Verdict } from "./judge.ts";
import { type Moment, moments } from "./moments.ts";
import { type Bot, openScene, type Scene } from "./scene.ts";
import { waitMs } from "./wait-ms.ts";

const seed = Date.now() % 100_000;
const random = createRandom(seed);
/** At each kill. */
const changes = 30;

// Each test kills the process that came up after the kill of the test before.
describe(`${changes} changes and a killed process`, { timeout: 2 * waitMs }, () => {
  let scene: Scene;
  let bot: Bot;
  beforeAll(async () => {
    scene = await openScene();
    bot = await scene.start();
  }, 2 * waitMs);
  afterAll(() => scene.close());

  const killAt = async ({ title, reach }: Moment, { asks = changes, downMs = 0, kills = 1 } = {}): Promise<Verdict> => {
    const before = scene.requests.length;
    for (let kill = 0; kill < kills; kill++) {
      const killed = createSignal();
      await reach(scene, asks, killed.given, random);
      await bot.kill();
      // Unread data of the dead process is lost with its connections.
      scene.gate.set("reset");
      killed.give();
      scene.gate.set("open");
      scene.service.faults.clear();
      scene.workspace.faults.clear();
      scene.clock.advance(downMs);
      bot = await scene.start();
      await scene.settle();
    }
    const verdict = await judge(scene, scene.requests.slice(before));
    process.stdout.write(
      `crash ${scene.database.kind} ${title} (seed ${seed}): killed ${kills} times, ${summaryOf(verdict)}\n`,
    );
    return verdict;
  };

  it("received, and not begun: the next process handles each, and notifies its requester", async () => {
    const { violations, counts } = await killAt(moments.beforeTheChange);
    expect(violations).toEqual([]);
    expect(counts).toMatchObject({ untraced: 0, notified: changes, twice: 0 });
    // On a slow machine some are answered, or begun, before the process dies.
    expect(counts.succeeded + counts.refused + counts.unknown).toBe(changes);
    expect(counts.succeeded).toBeGreaterThan(0);
  });

  it("received, and not begun for a minute: nothing is done, and every requester reads so", async () => {
    // One that has not handled these people's requests, and must ask Slack who they are.
    await bot.kill();
    bot = await scene.start();
    const { violations, counts } = await killAt(moments.beforeTheChange, { downMs: 61_000 });
    expect(violations).toEqual([]);
    expect(counts).toMatchObject({ untraced: 0, notified: changes, twice: 0 });
    expect(counts.succeeded + counts.refused + counts.unknown).toBe(changes);
    expect(counts.refused).toBeGreaterThan(0);
  });

  it("before the call: every outcome is unknown, and every requester reads so", async () => {
    const created = () => scene.service.requests.filter(({ operation }) => operation === "CreateActionExclusion");
    const before = created().length;
    const { violations, counts } = await killAt(moments.beforeTheCall);
    expect(violations).toEqual([]);
    expect(counts).toMatchObject({ unknown: changes, notified: changes, cards: changes, cardsTwice: 0 });
    expect(created()).toHaveLength(before);
  });

  it.each([moments.duringTheCall, moments.afterTheAnswer])(
    "$title: loses and repeats nothing, and notifies every requester correctly",
    async (moment) => {
      const { violations, counts } = await killAt(moment);
      expect(violations).toEqual([]);
      expect(counts).toMatchObject({ twice: 0, notified: changes, cards: changes });
    },
  );

  it("before the announcement: the next process announces each once and notifies every requester", async () => {
    const { violations, counts } = await killAt(moments.beforeTheAnnouncement);
    expect(violations).toEqual([]);
    expect(counts).toMatchObject({ notified: changes, cards: changes, cardsTwice: 0 });
  });

  it("after a post, before its record: posts the last card twice", async () => {
    const { violations, counts } = await killAt(moments.afterThePost, { asks: 20 });
    expect(violations).toEqual([]);
    expect(counts.cardsTwice).toBe(1);
  });

  it("at any moment: records are true, and nothing unrecorded is performed", async () => {
    const { violations, counts } = await killAt(moments.any, { asks: 25, kills: 1 });
    expect(violations).toEqual([]);
    expect(counts.cardsTwice).toBeLessThanOrEqual(2);
    expect(counts.untraced).toBe(0);
  });
});
