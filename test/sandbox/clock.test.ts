import { expect, test } from "vitest";
import { createClock } from "../../src/sandbox/clock.ts";

const hour = 3_600_000;

test("a moved clock goes on from where it was moved to", async () => {
  let real = 1000;
  const clock = createClock(() => real);
  await clock.moveTo(1000 + hour);
  real += 5;
  expect([clock.now(), clock.aheadMs]).toEqual([1005 + hour, hour]);
});

test("it is moved in steps, each waited for, so that what falls due on the way comes in its order", async () => {
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

test("two moves at once end at the later moment, and it never goes back", async () => {
  const clock = createClock(() => 0);
  await Promise.all([clock.moveTo(2 * hour), clock.moveTo(hour)]);
  expect(clock.now()).toBe(2 * hour);
});

test("a year ahead is as far as it goes, in no more than a hundred steps", async () => {
  const clock = createClock(() => 0);
  let steps = 0;
  const stop = clock.onStep(() => {
    steps += 1;
  });
  await clock.moveTo(365 * 24 * hour);
  expect(steps).toBeLessThanOrEqual(100);
  await expect(clock.moveTo(400 * 24 * hour)).rejects.toThrow("a year ahead at most");
  stop();
  await clock.moveTo(366 * 24 * hour);
  expect(steps).toBeLessThanOrEqual(100);
});
