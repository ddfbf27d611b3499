import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import type { StoredMessage } from "../../src/sandbox/workspace/state.ts";
import { usersNeedAnAdmin } from "../support/approval-journey.ts";
import { buttonsOn, cardsIn, changeIdIn, nowOf, textOf, threadOf } from "../support/journey.ts";
import { type Curfew, startCurfew, unlimitedConfig } from "../support/start-curfew.ts";
import { createStoppedClock, createTimers } from "../support/stopped-time.ts";

/** Everything is announced in two channels. */
const twoChannels = unlimitedConfig.replace("announce:\n", 'announce:\n  - { operations: ["*"], channel: C0SEC }\n');
const channels = ["ops", "security"] as const;

const clock = createStoppedClock(Date.now());
let timers = createTimers(clock);
let curfew: Curfew;
const start = async (config = twoChannels) => {
  timers = createTimers(clock);
  const outbox = { schedule: timers.schedule };
  curfew = await startCurfew({ config, now: clock.now, rateLimits: "slack", overrides: { outbox } });
};

const carol = () => curfew.workspace.as("carol");
/** No time passes between them. Only a few run in parallel, so that even a busy machine acknowledges each in time. */
const type = async (who: string, line: string, count: number) => {
  for (let left = count; left > 0; left -= 5) {
    const typed = Array.from({ length: Math.min(left, 5) }, () => curfew.workspace.as(who).type(line, "ops"));
    for (const outcome of await Promise.all(typed)) expect(outcome).toEqual({ ok: true });
  }
};
const exclude = (count: number) => type("carol", "/curfew exclude staging for 9h --another", count);
/** Advances time until the outbox is empty. */
const untilQuiet = async () => {
  await curfew.app.idle();
  while (timers.skip()) await curfew.app.idle();
};
const messagesIn = (channel: string) =>
  curfew.workspace.channel(channel).messages.filter(({ isFromApp, ephemeralTo }) => isFromApp && !ephemeralTo);
const idsOf = (messages: readonly StoredMessage[]) => messages.map(({ text }) => changeIdIn(text)).filter(Boolean);
const refusals = (method = "chat.postMessage") =>
  curfew.workspace.calls.filter((call) => call.method === method && call.status === 429);
/** The shortest time between two messages in one channel, measured when Slack receives them. */
const shortestGap = () => {
  const posted = curfew.workspace.calls.filter(({ method, answer }) => method === "chat.postMessage" && isOk(answer));
  const gaps = channels.flatMap((name) => {
    const { id } = curfew.workspace.channel(name);
    const times = posted.filter((call) => call.arguments.channel === id).map(({ at }) => at);
    return times.slice(1).map((at, index) => at - (times[index] ?? 0));
  });
  return Math.min(...gaps);
};
const isOk = (answer: unknown) => typeof answer === "object" && answer !== null && "ok" in answer && answer.ok === true;

describe("a burst of forty changes", () => {
  beforeAll(async () => {
    await start();
    await exclude(40);
    await untilQuiet();
  }, 60_000);
  afterAll(() => curfew.stop());

  it("becomes one summary per channel with threaded cards, a second apart and never refused", async () => {
    for (const channel of channels) {
      const cards = cardsIn(curfew.workspace, channel);
      const summaries = cards.filter(({ text }) => / changes within /.test(text));
      const [summary] = summaries;
      // Cards sent before the burst stand alone.
      const alone = cards.length - summaries.length;
      expect(summaries).toHaveLength(1);
      expect(alone).toBeLessThanOrEqual(1);
      expect(summary?.text).toContain(`${40 - alone} changes within 1 s: ${40 - alone} by carol; `);
      expect(summary && threadOf(curfew, summary)).toHaveLength(40 - alone);
      expect(new Set(idsOf(messagesIn(channel))).size).toBe(40);
    }
    const [first, ...others] = channels.map((channel) => idsOf(messagesIn(channel)));
    for (const other of others) expect(other).toEqual(first);
    expect(shortestGap()).toBeGreaterThanOrEqual(1000);
    expect(refusals()).toEqual([]);

    // A button in the thread updates its card there and adds its line to the thread.
    const summary = cardsIn(curfew.workspace, "ops").find(({ text }) => / changes within /.test(text));
    const card = summary && threadOf(curfew, summary).findLast((each) => buttonsOn(each).length > 0);
    if (!summary || !card) throw new Error("there is no card in the thread");
    expect(buttonsOn(card)).toEqual(["Extend 1 h", "Extend…", "End now"]);
    const top = cardsIn(curfew.workspace, "ops").length;
    expect(await carol().press("End now", card)).toEqual({ ok: true });
    await untilQuiet();
    expect(textOf(nowOf(curfew, card))).toContain(":white_circle: <@U03CAROL> ended it <!date^");
    expect(buttonsOn(nowOf(curfew, card))).toEqual([]);
    expect(cardsIn(curfew.workspace, "ops")).toHaveLength(top);
    // The thread has forty exclusions, so the line says which.
    const last = threadOf(curfew, summary).at(-1);
    expect(last && textOf(last)).toMatch(/<@U03CAROL> stopped keeping .*staging.* running$/);
  });
});

it("cards that need approval stay in the channel with their buttons during a burst", async () => {
  await start(usersNeedAnAdmin);
  onTestFinished(() => curfew.stop());
  await exclude(4);
  for (const what of ["disable alice", "disable bob", "disable dave", "enable dave"])
    await type("bob", `/curfew user ${what}@example.com`, 1);
  await exclude(4);
  await untilQuiet();
  const top = cardsIn(curfew.workspace, "ops");
  expect(top.filter((card) => buttonsOn(card).includes("Approve"))).toHaveLength(4);
  expect(top.filter(({ text }) => /^[78] changes within 1 s: [78] by carol; /.test(text))).toHaveLength(1);
  expect(new Set(idsOf(messagesIn("ops"))).size).toBe(12);
});

describe("an outage of Slack or a channel", () => {
  beforeEach(() => start());
  afterEach(() => curfew.stop());

  it("with many refusals takes few calls, and then everything arrives once and in order", async () => {
    const storm = { retryAfterSeconds: 30, times: 8 };
    curfew.workspace.faults.failNext("chat.postMessage", storm);
    await exclude(3);
    const startedAt = clock.now();
    await untilQuiet();
    expect(refusals()).toHaveLength(storm.times);
    // At most two channels send at the same time, and only after Slack's Retry-After.
    expect(clock.now() - startedAt).toBeGreaterThanOrEqual(30_000 * (storm.times / 2));
    const [ops] = channels.map((channel) => idsOf(messagesIn(channel)));
    for (const channel of channels) expect(idsOf(messagesIn(channel))).toEqual(ops);
    expect(new Set(ops).size).toBe(3);
  });

  it("of an hour loses and repeats nothing, and keeps each channel's order", async () => {
    await exclude(1);
    await untilQuiet();
    curfew.workspace.faults.failNext("chat.postMessage", { reset: true, times: 1000 });
    for (let count = 0; count < 4; count++) {
      await exclude(1);
      await curfew.app.idle();
      clock.advance(20_000);
    }
    const backAt = clock.now() + 3_600_000;
    while (clock.now() < backAt && timers.skip()) await curfew.app.idle();
    const tries = curfew.workspace.calls.filter(
      ({ method, answer }) => method === "chat.postMessage" && answer === null,
    );
    // By then each of the two channels retries every two minutes.
    expect(tries.length).toBeLessThan(100);
    curfew.workspace.faults.clear();
    await untilQuiet();
    const [ops, ...others] = channels.map((channel) => idsOf(messagesIn(channel)));
    expect(ops).toHaveLength(5);
    expect(new Set(ops).size).toBe(5);
    for (const other of others) expect(other).toEqual(ops);
    expect(shortestGap()).toBeGreaterThanOrEqual(1000);
  });

  it("of one deleted channel delays no other, and its cards go to their requester", async () => {
    await curfew.workspace.changes.archive("ops");
    await exclude(2);
    await untilQuiet();
    expect(new Set(idsOf(messagesIn("security"))).size).toBe(2);
    expect(messagesIn("ops")).toEqual([]);
    const notices = carol().messages("dm").map(textOf);
    expect(
      notices.filter((text) => text.includes("It could not be announced in the channel C0OPS (is_archived).")),
    ).toHaveLength(2);
  });

  it("across a restart repeats no summary and loses or repeats no card", async () => {
    await exclude(10);
    await curfew.app.idle();
    for (let count = 0; count < 4; count++) {
      timers.skip();
      await curfew.app.idle();
    }
    expect(cardsIn(curfew.workspace, "ops").some(({ text }) => / changes within /.test(text))).toBe(true);
    await curfew.app.stop();
    await curfew.restart();
    await untilQuiet();
    for (const channel of channels) {
      expect(new Set(idsOf(messagesIn(channel))).size).toBe(10);
      expect(idsOf(messagesIn(channel))).toHaveLength(10);
      expect(cardsIn(curfew.workspace, channel).filter(({ text }) => / changes within /.test(text))).toHaveLength(1);
    }
  });
});
