/** A clock that runs, and that a test can set forward. */
export interface Clock {
  readonly now: () => number;
  advance(ms: number): void;
}

/** Runs from the real time, or from another moment, in epoch ms. */
export function createClock(startAt = Date.now()): Clock {
  let aheadMs = startAt - Date.now();
  return {
    now: () => Date.now() + aheadMs,
    advance: (ms) => {
      aheadMs += ms;
    },
  };
}
