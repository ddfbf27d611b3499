import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { slackPace } from "../../src/outbox.ts";
import { askFor, configWith } from "../support/approval-journey.ts";
import { createClock, type SettableClock } from "../support/clock.ts";
import { ask, cardOf, changesSentTo, nowOf, textOf, threadOf } from "../support/journey.ts";
import { isOnPostgres } from "../support/on-postgres.ts";
import { type Curfew, type CurfewOptions, startCurfew, unlimitedConfig } from "../support/start-curfew.ts";
import { createTimers } from "../support/stopped-time.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
/** Each direction and each length on either database, all four on SQLite. */
const steps = [
  ["an hour back", -hourMs],
  ["two days forward", 48 * hourMs],
  ...(isOnPostgres
    ? []
    : ([
        ["an hour forward", hourMs],
        ["two days back", -48 * hourMs],
      ] as const)),
] as const;

let clock: SettableClock;
let curfew: Curfew;
beforeEach(() => {
  clock = createClock();
});
afterEach(() => curfew.stop());

const start = async (options: CurfewOptions = {}) => {
  const { now, elapsedMs } = clock;
  curfew = await startCurfew({ config: unlimitedConfig, now, elapsedMs, ...options });
};

/** Advances time and waits until what is due is done and sent. */
async function pass(ms: number): Promise<void> {
  await curfew.app.idle();
  clock.advance(ms);
  await curfew.app.idle();
}

const stateOf = async (changeId: string) => textOf(nowOf(curfew, await cardOf(curfew, changeId)));
const remindersOf = async (changeId: string) =>
  threadOf(curfew, await cardOf(curfew, changeId)).filter((each) =>
    /^:alarm_clock: This (?:ends|was to end) /.test(textOf(each)),
  ).length;

describe.each(steps)("when the clock is set %s", (_how, stepMs) => {
  it("a lost right ends within five seconds, even when cached just before", async () => {
    await start();
    await ask(curfew, "alice", "exclude staging for 1h");
    const sent = changesSentTo(curfew);
    clock.set(stepMs);
    await curfew.workspace.changes.setGroup("engineers", []);
    clock.advance(5000);
    expect((await ask(curfew, "alice", "exclude staging for 2h")).text).toContain("Nothing was changed");
    expect(sent()).toEqual([]);
  });

  it("cards keep Slack's pace, including those that wait for a retry", async () => {
    // Timers run by the time that passes, whatever the clock says. On PostgreSQL it really passes.
    const timers = createTimers({ now: clock.elapsedMs, advance: clock.advance });
    const schedule = isOnPostgres ? undefined : timers.schedule;
    await start({ overrides: { outbox: { pace: slackPace, schedule } } });
    const waitUntil = async (isSo: () => boolean) => {
      if (isOnPostgres) await curfew.workspace.waitFor(isSo);
      await curfew.app.idle();
      while (!isSo() && timers.skip()) await curfew.app.idle();
    };
    const cardsOf = (id: string) =>
      curfew.workspace.channel("ops").messages.filter(({ text }) => text.includes(id)).length;
    const { changeId: first } = await ask(curfew, "alice", "exclude i-0a1 for 1h");
    await waitUntil(() => cardsOf(first) > 0);
    curfew.workspace.faults.failNext("chat.postMessage", { error: "internal_error" });
    const { changeId: failing } = await ask(curfew, "alice", "exclude i-0a2 for 1h");
    await waitUntil(() => curfew.logged.some((line) => line.includes("an announcement must wait")));
    clock.set(stepMs);
    const setAt = clock.elapsedMs();
    const { changeId: next } = await ask(curfew, "carol", "exclude i-0a1 for 2h");
    await waitUntil(() => cardsOf(failing) > 0 && cardsOf(next) > 0);
    expect([cardsOf(failing), cardsOf(next)]).toEqual([1, 1]);
    expect(clock.elapsedMs() - setAt).toBeLessThan(minuteMs);
  });

  it("nobody is locked out or let in beyond their limit", async () => {
    await start({ config: unlimitedConfig.replace("perPersonPerMinute: 0", "perPersonPerMinute: 2") });
    const asks = async () => (await ask(curfew, "alice", "whoami")).text;
    await asks();
    await asks();
    clock.set(stepMs);
    expect(await asks()).toContain("That's a lot within one minute");
    clock.advance(minuteMs);
    expect(await asks()).not.toContain("That's a lot");
  });

  it("an exclusion ends by the new clock and is announced once", async () => {
    await start();
    const { changeId, exclusionId } = await ask(curfew, "carol", "exclude staging for 72h");
    const id = exclusionId;
    await curfew.app.idle();
    clock.set(stepMs);
    // Asked later, although a clock that was set back gives it an earlier time.
    await ask(curfew, "carol", `exclusion extend ${id} for 24h`);
    const endsAt = Date.parse(curfew.service.account.exclusions.get(id)?.expiryDate ?? "");
    await pass(endsAt - 31 * minuteMs - clock.now());
    expect([await remindersOf(changeId), await stateOf(changeId)]).toEqual([
      0,
      expect.stringMatching(/^:large_green_circle:/),
    ]);
    await pass(2 * minuteMs);
    await pass(30 * minuteMs);
    expect([await remindersOf(changeId), await stateOf(changeId)]).toEqual([
      1,
      expect.stringMatching(/^:white_circle:/),
    ]);
    await pass(50 * hourMs);
    expect(await remindersOf(changeId)).toBe(1);
  });

  it("an approval expires by the new clock", async () => {
    await start({ config: configWith("{ operations: [ModifyUser], approvers: [admin], expires: 72h }") });
    const { changeId } = await askFor(curfew);
    const expiresAt = clock.now() + 72 * hourMs;
    clock.set(stepMs);
    await pass(expiresAt - minuteMs - clock.now());
    expect(await stateOf(changeId)).not.toContain("It was not approved in time");
    await pass(2 * minuteMs);
    expect(await stateOf(changeId)).toContain("It was not approved in time");
  });

  it("an edit appears on the card of its exclusion", async () => {
    await start();
    const { changeId, exclusionId } = await ask(curfew, "carol", "exclude staging for 72h");
    await curfew.app.idle();
    clock.set(stepMs);
    await ask(curfew, "carol", `exclusion extend ${exclusionId} for 3h`);
    await curfew.app.idle();
    expect(await stateOf(changeId)).toContain("extended by");
  });
});
