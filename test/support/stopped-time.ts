import type { Schedule } from "../../src/time/loop.ts";
import type { Clock } from "./clock.ts";

export interface Timers {
  readonly schedule: Schedule;
  /** Advances to the next timer and runs it; false when there is none. */
  skip(): boolean;
}

/** A clock that moves only when a test advances it. */
export function createStoppedClock(startAt: number): Clock {
  let at = startAt;
  return {
    now: () => at,
    advance: (ms) => {
      at += ms;
    },
  };
}

/** Timers that expire only when a test says so. */
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
