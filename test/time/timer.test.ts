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

test("wakes once, at the earliest requested moment", () => {
  const { timers, timer, wokenAt } = aTimer();
  for (const ms of [5000, 3000, 4000]) timer.wakeAt(noon + ms);
  while (timers.skip());
  expect(wokenAt).toEqual([3000]);
});

test("sleeps at least 50 ms and at most a minute", () => {
  const { timers, timer, wokenAt } = aTimer();
  timer.wakeAt(noon - 1000);
  timers.skip();
  timer.wakeAt(noon + 3_600_000);
  timers.skip();
  expect(wokenAt).toEqual([50, 60_050]);
});

test("a moment missed by a clock setting does not block a later one", () => {
  const { clock, timers, timer, wokenAt } = aTimer();
  timer.wakeAt(noon + 60_000);
  clock.advance(50_000);
  timer.wakeAt(noon + 61_000);
  clock.advance(10_500);
  timer.wakeAt(noon + 61_000);
  timers.skip();
  expect(wokenAt).toEqual([61_000]);
});

test("does not wake after it is stopped", () => {
  const { timers, timer, wokenAt } = aTimer();
  timer.wakeAt(noon + 1000);
  timer.stop();
  timer.wakeAt(noon + 500);
  while (timers.skip());
  expect(wokenAt).toEqual([]);
});
