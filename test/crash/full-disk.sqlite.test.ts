import { execFileSync } from "node:child_process";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { type Asked, isNotified } from "./asked.ts";
import { inWords, judge, type Verdict } from "./judge.ts";
import { waitMs } from "./patience.ts";
import { type Bot, openScene, type Scene } from "./scene.ts";

const people = 20;

describe("a disk without space", { timeout: 2 * waitMs }, () => {
  let scene: Scene;
  let bot: Bot;
  beforeAll(async () => {
    scene = await openScene();
    bot = await scene.start();
  }, waitMs);
  afterEach(() => limitFiles("unlimited"));
  afterAll(() => scene.close());

  /** How large a file may become that the process writes to: to it, a disk of which no more is free looks the same. */
  const limitFiles = (bytes: number | "unlimited"): void => {
    execFileSync("prlimit", ["--pid", String(bot.process.pid), `--fsize=${bytes}:`]);
  };
  const judged = async (what: string, asked: readonly Asked[]): Promise<Verdict> => {
    const verdict = await judge(scene, asked);
    process.stdout.write(`crash disk ${what}: ${inWords(verdict)}\n`);
    return verdict;
  };

  it("from before they are asked: nothing is done, everybody is told so, and what comes later is done", async () => {
    const created = () => scene.service.requests.filter(({ operation }) => operation === "CreateActionExclusion");
    const before = created().length;
    limitFiles(0);
    const asked = await scene.ask(people);
    await scene.settle();
    const { wrongs, counts } = await judged("full before they are asked", asked);
    expect(wrongs).toEqual([]);
    expect(counts).toMatchObject({ refused: people, told: people, cards: 0 });
    expect(created()).toHaveLength(before);
    limitFiles("unlimited");
    const later = await scene.ask(people);
    await scene.settle();
    expect((await judge(scene, later)).counts).toMatchObject({ succeeded: people, told: people, cards: people });
  });

  it("while they are performed: each is told what the service said, and it is all recorded when there is space", async () => {
    scene.gate.set("held");
    const asked = await scene.ask(people);
    await vi.waitUntil(async () => (await scene.count("performing")) === people, { timeout: waitMs });
    limitFiles(0);
    scene.gate.set("open");
    await vi.waitUntil(() => asked.every((each) => isNotified(scene.workspace, each)), { timeout: waitMs });
    limitFiles("unlimited");
    // Until it is tried again.
    scene.clock.advance(60_000);
    await scene.settle();
    const { wrongs, counts } = await judged("full while they are performed", asked);
    expect(wrongs).toEqual([]);
    expect(counts).toMatchObject({ succeeded: people, told: people, cards: people });
  });

  it("when Curfew starts: it says so and does not start, and starts when there is space", async () => {
    await bot.kill();
    const starting = scene.start({ limit: "-S -f 0" });
    await expect(starting).rejects.toThrow("Curfew could not start");
    bot = await scene.start();
    const asked = await scene.ask(people);
    await scene.settle();
    expect((await judge(scene, asked)).wrongs).toEqual([]);
  });
});
