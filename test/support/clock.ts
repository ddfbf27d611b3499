/** A running clock that a test can set forward. */
export interface Clock {
  readonly now: () => number;
  advance(ms: number): void;
}

/** A clock whose wall time can be set separately. */
export interface SettableClock extends Clock {
  readonly elapsedMs: () => number;
  set(byMs: number): void;
}

/** Starts at the real time, that of `CURFEW_TEST_START`, or at another time in epoch ms. */
export function createClock(startAt = Number(process.env.CURFEW_TEST_START ?? Date.now())): SettableClock {
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
