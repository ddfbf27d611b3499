import type { Schedule } from "../../src/time/timer.ts";
import type { Clock } from "./clock.ts";

export interface Timers {
  readonly schedule: Schedule;
  /** Goes on to the moment of the next timer and runs it; false when there is none. */
  skip(): boolean;
}

/** Stands still, but for what a test lets pass. */
export function createStoppedClock(startAt: number): Clock {
  let at = startAt;
  return {
    now: () => at,
    advance: (ms) => {
      at += ms;
    },
  };
}

/** Timers that run out when a test says so, and not before. */
export function createTimers(clock: Clock): Timers {
  const waiting = new Set<{ readonly at: number; readonly run: () => void }>();
  return {
    schedule: (run, delayMs) => {
      const timer = { at: clock.now() + delayMs, run };
      waiting.add(timer);
      return () => void waiting.delete(timer);
    },
    skip: () => {
      const [next] = [...waiting].sort((one, other) => one.at - other.at);
      if (next === undefined) return false;
      waiting.delete(next);
      clock.advance(Math.max(0, next.at - clock.now()));
      next.run();
      return true;
    },
  };
}
