import { expect, test } from "vitest";
import { createClock } from "../../src/sandbox/clock.ts";

const hour = 3_600_000;

test("continues from where it was moved to", async () => {
  let real = 1000;
  const clock = createClock(() => real);
  await clock.moveTo(1000 + hour);
  real += 5;
  expect([clock.now(), clock.aheadMs]).toEqual([1005 + hour, hour]);
});

test("moves in steps and awaits each, so that due work runs in order", async () => {
  const clock = createClock(() => 0);
  const steps: number[] = [];
  let isBusy = false;
  clock.onStep(async () => {
    expect(isBusy).toBe(false);
    isBusy = true;
    await Promise.resolve();
    isBusy = false;
    steps.push(clock.now());
  });
  await clock.moveTo(hour);
  expect(steps).toHaveLength(12);
  expect(steps.at(-1)).toBe(hour);
});

test("ends two parallel moves at the later time and never goes back", async () => {
  const clock = createClock(() => 0);
  await Promise.all([clock.moveTo(2 * hour), clock.moveTo(hour)]);
  expect(clock.now()).toBe(2 * hour);
});

test("moves at most a year ahead, in at most a hundred steps", async () => {
  const clock = createClock(() => 0);
  let steps = 0;
  const stop = clock.onStep(() => {
    steps += 1;
  });
  await clock.moveTo(365 * 24 * hour);
  expect(steps).toBeLessThanOrEqual(100);
  await expect(clock.moveTo(400 * 24 * hour)).rejects.toThrow("at most a year ahead");
  stop();
  await clock.moveTo(366 * 24 * hour);
  expect(steps).toBeLessThanOrEqual(100);
});
