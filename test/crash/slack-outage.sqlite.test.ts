import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { createRandom } from "../support/mangle.ts";
import { type Asked, isNotified } from "./asked.ts";
import { announcedOrder, inWords, judge, type Verdict } from "./judge.ts";
import { waitMs } from "./patience.ts";
import { type Bot, openScene, type Scene } from "./scene.ts";

const seed = Date.now() % 100_000;
const random = createRandom(seed);
const people = 25;

describe("Slack in trouble", { timeout: 2 * waitMs }, () => {
  let scene: Scene;
  let bot: Bot;
  beforeAll(async () => {
    scene = await openScene();
    bot = await scene.start();
  }, waitMs);
  afterEach(() => scene.workspace.faults.clear());
  afterAll(() => scene.close());

  const told = async (what: string, asked: readonly Asked[]): Promise<Verdict> => {
    const verdict = await judge(scene, asked);
    process.stdout.write(`crash slack ${what} (seed ${seed}): ${inWords(verdict)}\n`);
    return verdict;
  };

  it("takes no message for ten minutes: all is told and announced when it does again, once and in order", async () => {
    const { workspace, clock } = scene;
    for (const method of ["chat.postMessage", "response_url"])
      workspace.faults.failNext(method, { reset: true, times: Number.POSITIVE_INFINITY });
    const posts = () => workspace.channel("ops").messages.length;
    const earlier = { succeeded: await scene.count("succeeded"), posts: posts(), order: await announcedOrder(scene) };
    const asked = await scene.ask(people);
    await vi.waitUntil(async () => (await scene.count("succeeded")) === earlier.succeeded + people, {
      timeout: waitMs,
    });
    for (let minute = 0; minute < 10; minute++) {
      const tried = workspace.calls.length;
      clock.advance(60_000);
      await workspace.waitFor(() => workspace.calls.length > tried, { timeoutMs: waitMs });
    }
    expect(asked.some((each) => isNotified(workspace, each))).toBe(false);
    expect(posts()).toBe(earlier.posts);
    workspace.faults.clear();
    await scene.settle();
    const { wrongs, counts } = await told("unreachable for ten minutes", asked);
    expect(wrongs).toEqual([]);
    expect(counts).toMatchObject({ succeeded: people, told: people, cards: people, cardsTwice: 0 });
    const { queued, posted } = await announcedOrder(scene);
    expect(posted.slice(earlier.order.posted.length)).toEqual(queued.slice(earlier.order.queued.length));
  });

  it("in storms of 429: all is told and announced once", async () => {
    const methods = ["chat.postMessage", "chat.postMessage", "response_url"];
    for (let call = 0; call < 4 * people; call++) {
      const method = methods[Math.floor(random() * methods.length)] ?? "*";
      const isLimited = random() < 0.4;
      const limit = { retryAfterSeconds: 1 + Math.floor(random() * 30) };
      scene.workspace.faults.failNext(method, isLimited ? limit : { delayMs: 0 });
    }
    const before = await scene.count("succeeded");
    const asked = await scene.ask(people);
    await vi.waitUntil(async () => (await scene.count("succeeded")) === before + people, { timeout: waitMs });
    await scene.settle();
    const { wrongs, counts } = await told("storms of 429", asked);
    expect(wrongs).toEqual([]);
    expect(counts).toMatchObject({ succeeded: people, twice: 0, cardsTwice: 0 });
  });

  it("wholly gone when something is asked by people whom Curfew does not know yet: nothing is done", async () => {
    scene.clock.advance(60_000);
    // By then the process goes by that time too.
    await scene.settle();
    const sent = scene.service.requests.length;
    scene.workspace.faults.down();
    const asked = await scene.ask(people);
    await vi.waitUntil(() => asked.every((each) => bot.gaveUp(each)), { timeout: waitMs });
    scene.workspace.faults.up();
    const { wrongs, counts } = await told("wholly gone", asked);
    expect(wrongs).toEqual([]);
    expect(counts).toMatchObject({ succeeded: 0, failed: 0, unknown: 0 });
    expect(scene.service.requests.slice(sent).filter(({ method }) => method !== "GET")).toEqual([]);
  });
});
