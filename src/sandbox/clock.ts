/** The one time of service, workspace and bot: the real time, except that it can be moved forward. */
export interface Clock {
  readonly now: () => number;
  /** How much of it has passed, by a clock that is never set. */
  readonly elapsedMs: () => number;
  /** By how much it is ahead of the real time. */
  readonly aheadMs: number;
  /** Moves it forward in steps, so that what falls due on the way is done before the next step. */
  moveTo(at: number): Promise<void>;
  /** Called after each step, and waited for, until the returned function is called. */
  onStep(listener: () => void | Promise<void>): () => void;
}

const mostSteps = 100;
const shortestStepMs = 5 * 60_000;
/** Beyond that, what the service was seeded with says nothing any more. */
const furthestMs = 366 * 24 * 3_600_000;

export function createClock(realNow: () => number): Clock {
  const listeners = new Set<() => void | Promise<void>>();
  let aheadMs = 0;
  let moving: Promise<void> = Promise.resolve();
  const now = () => realNow() + aheadMs;
  const walk = async (at: number): Promise<void> => {
    const stepMs = Math.max(shortestStepMs, Math.ceil((at - now()) / mostSteps));
    for (let left = at - now(); left > 0; left = at - now()) {
      aheadMs += Math.min(stepMs, left);
      for (const listener of listeners) await listener();
    }
  };
  return {
    now,
    elapsedMs: () => performance.now() + aheadMs,
    get aheadMs() {
      return aheadMs;
    },
    moveTo: async (at) => {
      if (at - realNow() > furthestMs) throw new Error("The clock goes a year ahead at most.");
      moving = moving.then(() => walk(at));
      return moving;
    },
    onStep: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
