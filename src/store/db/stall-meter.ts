/** How long the database has kept its callers waiting. */
export interface StallMeter {
  /** Something waits for the database, until the function that this gives is called. */
  wait(): () => void;
  /** All stalls so far, in ms; those at the same time count once. */
  stalledMs(): number;
}

/** A shorter wait is no stall. */
const shortestMs = 250;

/**
 * Adds up the waits that took long. By default only the time in which the event loop was idle counts: while the process itself is
 * busy, an answer of the database waits for the process, and the database is not to blame.
 */
export function createStallMeter(clockMs: () => number = idleMs): StallMeter {
  const waiting = new Set<{ readonly since: number }>();
  let total = 0;
  let countedUntil = 0;
  /** The longest of those that wait covers all others. */
  const present = () => {
    const [oldest] = waiting;
    const now = clockMs();
    if (oldest === undefined || now - oldest.since < shortestMs) return 0;
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
