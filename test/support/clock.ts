/** The real time, which a test can set forward. */
export interface Clock {
  readonly now: () => number;
  advance(ms: number): void;
}

export function createClock(): Clock {
  let aheadMs = 0;
  return {
    now: () => Date.now() + aheadMs,
    advance: (ms) => {
      aheadMs += ms;
    },
  };
}
