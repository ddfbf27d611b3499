/** A clock that runs, and that a test can set forward. */
export interface Clock {
  readonly now: () => number;
  advance(ms: number): void;
}

/** One whose wall clock alone can be set too. */
export interface SettableClock extends Clock {
  readonly elapsedMs: () => number;
  set(byMs: number): void;
}

/** Runs from the real time, or from another moment, in epoch ms. */
export function createClock(startAt = Date.now()): SettableClock {
  let aheadMs = startAt - Date.now();
  let passedMs = 0;
  return {
    now: () => Date.now() + aheadMs,
    elapsedMs: () => performance.now() + passedMs,
    advance: (ms) => {
      aheadMs += ms;
      passedMs += ms;
    },
    set: (byMs) => {
      aheadMs += byMs;
    },
  };
}
