/** Measures how long callers wait for the database. */
export interface StallMeter {
  /** Starts a wait; call the returned function to end it. */
  wait(): () => void;
  /** All stalls so far, in ms. Overlapping stalls count once. */
  stalledMs(): number;
}

/** A shorter wait does not count. */
const minMs = 250;

/** Adds up long waits. By default only idle time of the event loop counts: while the process is busy, the database is not to blame. */
export function createStallMeter(clockMs: () => number = idleMs): StallMeter {
  const waiting = new Set<{ readonly since: number }>();
  let total = 0;
  let countedUntil = 0;
  /** The oldest wait covers all others. */
  const present = () => {
    const [oldest] = waiting;
    const now = clockMs();
    if (oldest === undefined || now - oldest.since < minMs) return 0;
    return now - Math.max(oldest.since, countedUntil);
  };
  return {
    wait: () => {
      const one = { since: clockMs() };
      waiting.add(one);
      return () => {
        const [oldest] = waiting;
        const stalled = oldest === one ? present() : 0;
        if (stalled > 0) countedUntil = clockMs();
        total += stalled;
        waiting.delete(one);
      };
    },
    stalledMs: () => total + present(),
  };
}

const idleMs = (): number => performance.eventLoopUtilization().idle;
