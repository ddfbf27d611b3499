import { expect, onTestFinished, test, vi } from "vitest";
import { createLoop, every } from "../../src/time/loop.ts";
import { noon } from "../changes/build.ts";
import { createSignal } from "../support/signal.ts";
import { createStoppedClock, createTimers } from "../support/stopped-time.ts";

const never = Number.POSITIVE_INFINITY;

function aLoop(round: (count: number) => Promise<number> = async () => never) {
  const clock = createStoppedClock(noon);
  const timers = createTimers(clock);
  const begunAt: number[] = [];
  const failures: unknown[] = [];
  const loop = createLoop(
    () => {
      begunAt.push(clock.now() - noon);
      return round(begunAt.length);
    },
    { onError: (error) => failures.push(error), retryMs: 5000, schedule: timers.schedule },
  );
  onTestFinished(() => loop.stop());
  /** Lets time pass, round by round, until no timer is left. */
  const run = async () => {
    await loop.idle();
    while (timers.skip()) await loop.idle();
  };
  return { loop, begunAt, failures, run };
}

test("begins one round, at the earliest requested moment", async () => {
  const { loop, begunAt, run } = aLoop();
  for (const ms of [5000, 3000, 4000, never]) loop.wakeIn(ms);
  await run();
  expect(begunAt).toEqual([3000]);
});

test("begins the next round after the pause that the last one gave", async () => {
  const { loop, begunAt, run } = aLoop(async (count) => (count < 4 ? count * 1000 : never));
  loop.wake();
  await run();
  expect(begunAt).toEqual([0, 1000, 3000, 6000]);
});

test("begins one round after the present one, however often it is woken meanwhile", async () => {
  const gate = createSignal();
  const { loop, begunAt, run } = aLoop(async () => {
    await gate.given;
    return never;
  });
  for (let count = 0; count < 5; count++) loop.wake();
  loop.wakeIn(1000);
  expect(begunAt).toHaveLength(1);
  gate.give();
  await run();
  expect(begunAt).toEqual([0, 0]);
});

test("goes on after a round that failed", async () => {
  const { loop, begunAt, failures, run } = aLoop(async (count) => {
    if (count === 1) throw new Error("once");
    return never;
  });
  loop.wake();
  await run();
  expect(failures).toEqual([new Error("once")]);
  expect(begunAt).toEqual([0, 5000]);
});

test("begins nothing after it is stopped, which waits for the present round", async () => {
  const gate = createSignal();
  let isOver = false;
  const { loop, begunAt, run } = aLoop(async () => {
    await gate.given;
    isOver = true;
    return 10;
  });
  loop.wake();
  const stopped = loop.stop();
  loop.wake();
  gate.give();
  await stopped;
  expect(isOver).toBe(true);
  loop.wakeIn(500);
  await run();
  expect(begunAt).toEqual([0]);
});

test("repeats work in real time, also after a failure", async () => {
  let runs = 0;
  const failures: unknown[] = [];
  const work = async () => {
    runs++;
    if (runs === 1) throw new Error("once");
  };
  const repeated = every(1, work, (error) => failures.push(error));
  await vi.waitFor(() => expect(runs).toBeGreaterThan(2));
  await repeated.stop();
  expect(failures).toHaveLength(1);
});
