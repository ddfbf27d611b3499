import { expect, test } from "vitest";
import { createWaker } from "../../src/jobs/waker.ts";
import { noon } from "../changes/build.ts";
import { createStoppedClock, createTimers } from "../support/stopped-time.ts";

function aWaker() {
  const clock = createStoppedClock(noon);
  const timers = createTimers(clock);
  const wokenAt: number[] = [];
  const wake = () => void wokenAt.push(clock.now() - noon);
  const waker = createWaker({ now: clock.now, schedule: timers.schedule, wake });
  return { clock, timers, waker, wokenAt };
}

test("it wakes at the earliest of the moments it was told, once", () => {
  const { timers, waker, wokenAt } = aWaker();
  for (const ms of [5000, 3000, 4000]) waker.wakeAt(noon + ms);
  while (timers.skip());
  expect(wokenAt).toEqual([3000]);
});

test("it is never in a hurry and never longer than a minute asleep", () => {
  const { timers, waker, wokenAt } = aWaker();
  waker.wakeAt(noon - 1000);
  timers.skip();
  waker.wakeAt(noon + 3_600_000);
  timers.skip();
  expect(wokenAt).toEqual([50, 60_050]);
});

test("a moment that was missed, because the clock was set, keeps it from no later one", () => {
  const { clock, timers, waker, wokenAt } = aWaker();
  waker.wakeAt(noon + 60_000);
  clock.advance(50_000);
  waker.wakeAt(noon + 61_000);
  clock.advance(10_500);
  waker.wakeAt(noon + 61_000);
  timers.skip();
  expect(wokenAt).toEqual([61_000]);
});

test("it wakes no more when it is stopped", () => {
  const { timers, waker, wokenAt } = aWaker();
  waker.wakeAt(noon + 1000);
  waker.stop();
  waker.wakeAt(noon + 500);
  while (timers.skip());
  expect(wokenAt).toEqual([]);
});
