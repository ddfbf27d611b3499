import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createRandom } from "../support/mangle.ts";
import { createSignal } from "../support/signal.ts";
import { inWords, judge, type Verdict } from "./judge.ts";
import { type Moment, moments } from "./moments.ts";
import { waitMs } from "./patience.ts";
import { type Bot, openScene, type Scene } from "./scene.ts";

const seed = Date.now() % 100_000;
const random = createRandom(seed);
const kills = 2;
const changes = 200;

describe(`${changes} changes and a process that is killed`, { timeout: 2 * waitMs }, () => {
  let scene: Scene;
  let bot: Bot;
  beforeAll(async () => {
    scene = await openScene();
    bot = await scene.start();
  }, 2 * waitMs);
  afterAll(() => scene.close());

  const killAt = async ({ title, come }: Moment, asks = changes): Promise<Verdict> => {
    const before = scene.asked.length;
    for (let kill = 0; kill < kills; kill++) {
      const killed = createSignal();
      await come(scene, asks / kills, killed.given, random);
      await bot.kill();
      // What the dead process had sent and nobody had read is gone with its connections.
      scene.gate.set("reset");
      killed.give();
      scene.gate.set("open");
      scene.service.faults.clear();
      scene.workspace.faults.clear();
      bot = await scene.start();
      await scene.settle();
    }
    const verdict = await judge(scene, scene.asked.slice(before));
    process.stdout.write(`crash ${scene.database.kind} ${title} (seed ${seed}): ${kills} kills, ${inWords(verdict)}\n`);
    return verdict;
  };

  it("before they are recorded: nothing is done", async () => {
    const { wrongs, counts } = await killAt(moments.beforeTheRecord);
    expect(wrongs).toEqual([]);
    // A limit of acknowledging first: that they arrived was told to Slack, and to nobody else.
    expect(counts).toMatchObject({ untraced: changes, told: 0, succeeded: 0, unknown: 0 });
  });

  it("before the call: all are unknown, and told so", async () => {
    const created = () => scene.service.requests.filter(({ operation }) => operation === "CreateActionExclusion");
    const before = created().length;
    const { wrongs, counts } = await killAt(moments.beforeTheCall);
    expect(wrongs).toEqual([]);
    expect(counts).toMatchObject({ unknown: changes, told: changes, cards: changes, cardsTwice: 0 });
    expect(created()).toHaveLength(before);
  });

  it.each([moments.duringTheCall, moments.afterTheAnswer])(
    "$title: none is lost or done twice, and every requester is told the truth",
    async (moment) => {
      const { wrongs, counts } = await killAt(moment);
      expect(wrongs).toEqual([]);
      expect(counts).toMatchObject({ twice: 0, told: changes, cards: changes });
    },
  );

  it("before the announcement, and before their requesters are told: the next process announces all, once, and tells all", async () => {
    const { wrongs, counts } = await killAt(moments.beforeTheAnnouncement);
    expect(wrongs).toEqual([]);
    expect(counts).toMatchObject({ told: changes, cards: changes, cardsTwice: 0 });
  });

  it("after a post, before that is recorded: what was posted last stands there twice", async () => {
    const { wrongs, counts } = await killAt(moments.afterThePost, 40);
    expect(wrongs).toEqual([]);
    expect(counts.cardsTwice).toBe(kills);
  });

  it("at any moment: what is recorded is true, and no other is done", async () => {
    const { wrongs, counts } = await killAt(moments.any, 100);
    expect(wrongs).toEqual([]);
    expect(counts.cardsTwice).toBeLessThanOrEqual(kills);
  });
});
