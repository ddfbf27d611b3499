/** Runs something later; gives what takes that back. */
export type Schedule = (run: () => void, delayMs: number) => () => void;

export interface Timer {
  /** At this moment or before, in epoch ms. */
  wakeAt(at: number): void;
  stop(): void;
}

const shortestPauseMs = 50;
const longestPauseMs = 60_000;

/** Wakes at the earliest of the moments it was told; never long after them, should the clock be set. */
export function createTimer({
  now,
  wake,
  schedule = startTimer,
}: {
  readonly now: () => number;
  readonly wake: () => void;
  readonly schedule?: Schedule | undefined;
}): Timer {
  let next: { readonly at: number; cancel(): void } | undefined;
  let isStopped = false;
  return {
    wakeAt: (at) => {
      const isPlanned = next !== undefined && next.at <= at && next.at > now();
      if (isStopped || isPlanned) return;
      next?.cancel();
      const run = () => {
        next = undefined;
        wake();
      };
      const delayMs = Math.min(Math.max(at - now(), shortestPauseMs), longestPauseMs);
      next = { at, cancel: schedule(run, delayMs) };
    },
    stop: () => {
      isStopped = true;
      next?.cancel();
    },
  };
}

/** Keeps no process alive. */
export const startTimer: Schedule = (run, delayMs) => {
  const timer = setTimeout(run, delayMs).unref();
  return () => clearTimeout(timer);
};
