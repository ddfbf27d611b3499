const maxSteps = 100;
const minStepMs = 5 * 60_000;
/** Further ahead, the seeded data no longer makes sense. */
const maxAheadMs = 366 * 24 * 3_600_000;

export type Clock = ReturnType<typeof createClock>;

/** The shared clock of service, workspace and bot: real time that can be moved forward. */
export function createClock(realNow: () => number) {
  const listeners = new Set<() => void | Promise<void>>();
  let aheadMs = 0;
  let moving: Promise<void> = Promise.resolve();
  const now = () => realNow() + aheadMs;
  const walk = async (at: number): Promise<void> => {
    const stepMs = Math.max(minStepMs, Math.ceil((at - now()) / maxSteps));
    for (let left = at - now(); left > 0; left = at - now()) {
      aheadMs += Math.min(stepMs, left);
      for (const listener of listeners) await listener();
    }
  };
  return {
    now,
    /** How much of it has passed, by a monotonic clock. */
    elapsedMs: () => performance.now() + aheadMs,
    get aheadMs() {
      return aheadMs;
    },
    /** Moves forward in steps, so that work that falls due at one step is done before the next. */
    moveTo: async (at: number): Promise<void> => {
      if (at - realNow() > maxAheadMs) throw new Error("The clock can go at most a year ahead.");
      moving = moving.then(() => walk(at));
      return moving;
    },
    /** Calls and awaits the listener after each step, until the returned function is called. */
    onStep: (listener: () => void | Promise<void>): (() => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** Notifies listeners of a change, so that nobody has to poll. */
export function createSignal() {
  const listeners = new Set<() => void>();
  return {
    changed: () => {
      for (const listener of [...listeners]) listener();
    },
    listen: (listener: () => void): (() => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
