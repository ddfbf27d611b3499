import { setTimeout as pass } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { createRandom } from "../support/mangle.ts";
import { type CrashRequest, isNotified, isPromised } from "./ask.ts";
import { announcedOrder, judge, summaryOf, type Verdict } from "./judge.ts";
import { type Bot, openScene, type Scene } from "./scene.ts";
import { waitMs } from "./wait-ms.ts";

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

  const judged = async (what: string, requests: readonly CrashRequest[]): Promise<Verdict> => {
    const verdict = await judge(scene, requests);
    process.stdout.write(`crash slack ${what} (seed ${seed}): ${summaryOf(verdict)}\n`);
    return verdict;
  };

  it("unreachable for ten minutes: answers in the acknowledgement, and announces everything afterwards, in order", async () => {
    const { workspace, clock } = scene;
    for (const method of ["chat.postMessage", "response_url"])
      workspace.faults.failNext(method, { reset: true, times: Number.POSITIVE_INFINITY });
    const posts = () => workspace.channel("ops").messages.length;
    const earlier = { succeeded: await scene.count("succeeded"), posts: posts(), order: await announcedOrder(scene) };
    // A few at a time, so that the machine of the test can perform them before their acknowledgement is due.
    const requests: CrashRequest[] = [];
    while (requests.length < people) requests.push(...(await scene.ask(5, requests.length)));
    await vi.waitUntil(async () => (await scene.count("succeeded")) === earlier.succeeded + people, {
      timeout: waitMs,
    });
    const tried = workspace.calls.length;
    for (let minute = 0; minute < 10; minute++) {
      clock.advance(60_000);
      await pass(100);
    }
    await workspace.waitFor(() => workspace.calls.length > tried, { timeoutMs: waitMs });
    // The acknowledgement answers a request of Slack's, so it gets through: with the outcome, or on a busy machine with the promise of it.
    expect(requests.filter((each) => !isNotified(workspace, each) && !isPromised(workspace, each))).toEqual([]);
    expect(requests.filter((each) => isNotified(workspace, each)).length).toBeGreaterThan(people / 2);
    expect(posts()).toBe(earlier.posts);
    workspace.faults.clear();
    await scene.settle();
    const { violations, counts } = await judged("unreachable for ten minutes", requests);
    expect(violations).toEqual([]);
    expect(counts).toMatchObject({ succeeded: people, notified: people, cards: people, cardsTwice: 0 });
    const { queued, posted } = await announcedOrder(scene);
    expect(posted.slice(earlier.order.posted.length)).toEqual(queued.slice(earlier.order.queued.length));
  });

  it("storms of 429: notifies and announces everything once", async () => {
    const methods = ["chat.postMessage", "chat.postMessage", "response_url"];
    for (let call = 0; call < 4 * people; call++) {
      const method = methods[Math.floor(random() * methods.length)] ?? "*";
      const isLimited = random() < 0.4;
      const limit = { retryAfterSeconds: 1 + Math.floor(random() * 30) };
      scene.workspace.faults.failNext(method, isLimited ? limit : { delayMs: 0 });
    }
    const before = await scene.count("succeeded");
    const requests = await scene.ask(people);
    await vi.waitUntil(async () => (await scene.count("succeeded")) === before + people, { timeout: waitMs });
    await scene.settle();
    const { violations, counts } = await judged("storms of 429", requests);
    expect(violations).toEqual([]);
    expect(counts).toMatchObject({ succeeded: people, twice: 0, cardsTwice: 0 });
  });

  it("unreachable for people not yet in the cache: performs nothing", async () => {
    // What Slack said of somebody counts for a minute, by a clock that no test sets.
    await bot.kill();
    bot = await scene.start();
    await noMoreCalls(scene);
    const sent = scene.service.requests.length;
    scene.workspace.faults.down();
    const requests = await scene.ask(people);
    await vi.waitUntil(() => requests.every((each) => isNotified(scene.workspace, each)), { timeout: waitMs });
    scene.workspace.faults.up();
    const { violations, counts } = await judged("unreachable for unknown people", requests);
    expect(violations).toEqual([]);
    expect(counts).toMatchObject({ succeeded: 0, failed: 0, unknown: 0 });
    expect(scene.service.requests.slice(sent).filter(({ method }) => method !== "GET")).toEqual([]);
  });
});

/** Resolves when the workspace has got no call for half a second. */
async function noMoreCalls({ workspace }: Scene): Promise<void> {
  let seen = -1;
  const isQuiet = () => {
    const isSame = workspace.calls.length === seen;
    seen = workspace.calls.length;
    return isSame;
  };
  await vi.waitUntil(isQuiet, { timeout: waitMs, interval: 500 });
}
