import { setTimeout as pass } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { createRandom } from "../../support/mangle.ts";
import { crew } from "../crew.ts";
import { type Bot, openScene, type Scene, type Sending } from "../scene.ts";
import { waitMs } from "../wait-ms.ts";
import { judgeAsked, judgeDeeds } from "./judge-asked.ts";
import { type Asked, type Way, ways } from "./ways-in.ts";

const seed = Number(process.env.CRASH_SEED ?? Date.now() % 100_000);
const random = createRandom(seed);
/** Of each way. */
const kills = Number(process.env.CRASH_KILLS ?? 1);
const people = Number(process.env.CRASH_PEOPLE ?? 16);
const groups = Math.floor(crew.length / people);
const slackMs = 150;
/** People ask one after the other, so that the kill meets their requests at different awaits. */
const betweenMs = 12;

const Heard = z.object({ killAt: z.number().optional(), continued: z.number().default(0) });

// Each test goes on with the process that came up after the last kill.
describe("a process killed at any await between the arrival of requests and their answers", {
  timeout: 4 * waitMs + kills * waitMs,
}, () => {
  let scene: Scene;
  let bot: Bot;
  const start = () => scene.start({ preload: "test/crash/awaits/kill-switch.mjs" });
  beforeAll(async () => {
    scene = await openScene();
    bot = await start();
  }, 2 * waitMs);
  afterAll(() => scene.close());

  const heard = () => Heard.parse(bot.process.heard);

  /** Sends the requests to a process that dies on the way; resolves when it is dead or all are answered. Returns how far it came. */
  const sendAndKill = async (sendings: readonly Sending<Asked>[], killAt: number) => {
    const { process } = bot;
    process.say({ killAt });
    await vi.waitUntil(() => heard().killAt === killAt, { timeout: waitMs, interval: 5 });
    scene.workspace.faults.failNext("users.info", { delayMs: slackMs, times: Number.POSITIVE_INFINITY });
    let isDead = false;
    void process.exited.then(() => {
      isDead = true;
    });
    const asked = await scene.send(
      sendings.map((send, index) => async (workspace) => {
        await pass(index * betweenMs);
        return send(workspace);
      }),
    );
    await vi.waitUntil(() => isDead || scene.isAnswered(), { timeout: waitMs, interval: 5 });
    process.say({});
    await vi.waitUntil(() => isDead || heard().continued > 0, { timeout: waitMs, interval: 5 });
    const awaits = isDead ? killAt : heard().continued;
    scene.workspace.faults.clear();
    await bot.kill();
    // Unread data of the dead process is lost with its connections.
    scene.gate.set("reset");
    scene.gate.set("open");
    bot = await start();
    await settle();
    return { asked, awaits };
  };

  const settle = async () => {
    await scene.settle();
    // What was approved, and not begun, is the job's after half a minute.
    if ((await scene.count("approved")) === 0) return;
    scene.clock.advance(31_000);
    await vi.waitUntil(async () => (await scene.count("approved")) === 0, { timeout: waitMs });
    await scene.settle();
  };

  // Others than the last ones, whom the process knows already.
  let group = 0;
  const prepare = (way: Way) => {
    group += 1;
    const from = (group % groups) * people;
    return way.prepare(
      scene,
      crew.slice(from, from + people).map(({ handle }) => handle),
    );
  };

  it.each(ways)(
    "$title: every acknowledged request is recorded or answered, and nothing is done twice",
    async (way) => {
      const counts = { requests: 0, acknowledged: 0, recorded: 0, answeredOnly: 0 };
      const violations: string[] = [];
      let all = 0;
      let next = await prepare(way);
      for (let kill = 0; kill <= kills; kill++) {
        const present = next;
        // By this process, which then does not know the next people yet.
        next = kill < kills ? await prepare(way) : [];
        // The first dies when everybody has an answer, which says how many awaits there are.
        const killAt = kill === 0 ? Number.MAX_SAFE_INTEGER : 1 + Math.floor(((kill - 1 + random()) / kills) * all);
        const { asked, awaits } = await sendAndKill(present, killAt);
        if (kill === 0) all = awaits;
        const verdict = await judgeAsked(scene, asked);
        violations.push(...verdict.violations.map((text) => `killed at ${killAt}: ${text}`));
        counts.requests += asked.length;
        counts.acknowledged += verdict.acknowledged;
        counts.recorded += verdict.recorded;
        counts.answeredOnly += verdict.answeredOnly;
      }
      violations.push(...(await judgeDeeds(scene)));
      const about = `${scene.database.kind}, ${way.title} (seed ${seed}): ${all} awaits, ${kills + 1} kills`;
      process.stdout.write(`crash ${about}, ${JSON.stringify(counts)}, ${violations.length} violations\n`);
      process.stdout.write(violations.map((each) => `  ${each}\n`).join(""));
      expect(violations).toEqual([]);
      expect(Math.min(counts.acknowledged, counts.recorded)).toBeGreaterThan(0);
    },
  );
});
