import { expect, test } from "vitest";
import { createTimer } from "../../src/time/timer.ts";
import { noon } from "../changes/build.ts";
import { createStoppedClock, createTimers } from "../support/stopped-time.ts";

function aTimer() {
  const clock = createStoppedClock(noon);
  const timers = createTimers(clock);
  const wokenAt: number[] = [];
  const wake = () => void wokenAt.push(clock.now() - noon);
  const timer = createTimer({ now: clock.now, schedule: timers.schedule, wake });
  return { clock, timers, timer, wokenAt };
}

test("it wakes at the earliest of the moments it was told, once", () => {
  const { timers, timer, wokenAt } = aTimer();
  for (const ms of [5000, 3000, 4000]) timer.wakeAt(noon + ms);
  while (timers.skip());
  expect(wokenAt).toEqual([3000]);
});

test("it is never in a hurry and never longer than a minute asleep", () => {
  const { timers, timer, wokenAt } = aTimer();
  timer.wakeAt(noon - 1000);
  timers.skip();
  timer.wakeAt(noon + 3_600_000);
  timers.skip();
  expect(wokenAt).toEqual([50, 60_050]);
});

test("a moment that was missed, because the clock was set, keeps it from no later one", () => {
  const { clock, timers, timer, wokenAt } = aTimer();
  timer.wakeAt(noon + 60_000);
  clock.advance(50_000);
  timer.wakeAt(noon + 61_000);
  clock.advance(10_500);
  timer.wakeAt(noon + 61_000);
  timers.skip();
  expect(wokenAt).toEqual([61_000]);
});

test("it wakes no more when it is stopped", () => {
  const { timers, timer, wokenAt } = aTimer();
  timer.wakeAt(noon + 1000);
  timer.stop();
  timer.wakeAt(noon + 500);
  while (timers.skip());
  expect(wokenAt).toEqual([]);
});
