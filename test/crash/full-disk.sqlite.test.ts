import { execFileSync } from "node:child_process";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { type CrashRequest, isNotified } from "./ask.ts";
import { judge, summaryOf, type Verdict } from "./judge.ts";
import { type Bot, openScene, type Scene } from "./scene.ts";
import { waitMs } from "./wait-ms.ts";

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

  /** Limits the process's file size, which looks to it like a full disk. */
  const limitFiles = (bytes: number | "unlimited"): void => {
    execFileSync("prlimit", ["--pid", String(bot.process.pid), `--fsize=${bytes}:`]);
  };
  const judged = async (what: string, requests: readonly CrashRequest[]): Promise<Verdict> => {
    const verdict = await judge(scene, requests);
    process.stdout.write(`crash disk ${what}: ${summaryOf(verdict)}\n`);
    return verdict;
  };

  it("full before requests: all are refused, and later ones succeed", async () => {
    const created = () => scene.service.requests.filter(({ operation }) => operation === "CreateActionExclusion");
    const before = created().length;
    limitFiles(0);
    const requests = await scene.ask(people);
    await scene.settle();
    const { violations, counts } = await judged("full before requests", requests);
    expect(violations).toEqual([]);
    expect(counts).toMatchObject({ refused: people, notified: people, cards: 0 });
    expect(created()).toHaveLength(before);
    limitFiles("unlimited");
    const later = await scene.ask(people);
    await scene.settle();
    expect((await judge(scene, later)).counts).toMatchObject({ succeeded: people, notified: people, cards: people });
  });

  it("full during calls: every requester is notified, and outcomes are recorded later", async () => {
    scene.gate.set("held");
    const requests = await scene.ask(people);
    await vi.waitUntil(async () => (await scene.count("performing")) === people, { timeout: waitMs });
    limitFiles(0);
    scene.gate.set("open");
    await vi.waitUntil(() => requests.every((each) => isNotified(scene.workspace, each)), { timeout: waitMs });
    limitFiles("unlimited");
    // Past the retry pause.
    scene.clock.advance(60_000);
    await scene.settle();
    const { violations, counts } = await judged("full during calls", requests);
    expect(violations).toEqual([]);
    expect(counts).toMatchObject({ succeeded: people, notified: people, cards: people });
  });

  it("full at start: Curfew refuses to start, and starts when there is space", async () => {
    await bot.kill();
    const starting = scene.start({ limit: "-S -f 0" });
    await expect(starting).rejects.toThrow("Curfew could not start");
    bot = await scene.start();
    const requests = await scene.ask(people);
    await scene.settle();
    expect((await judge(scene, requests)).violations).toEqual([]);
  });
});
