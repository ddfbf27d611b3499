/** Runs a function later. Returns a function that cancels it. */
export type Schedule = (run: () => void, delayMs: number) => () => void;

const minDelayMs = 50;
const maxDelayMs = 60_000;

/** Wakes at the earliest requested moment. It sleeps a minute at most, so setting the clock cannot delay it for long. */
export function createTimer({
  now,
  wake,
  schedule = startTimer,
}: {
  readonly now: () => number;
  readonly wake: () => void;
  readonly schedule?: Schedule | undefined;
}) {
  let next: { readonly at: number; cancel(): void } | undefined;
  let isStopped = false;
  return {
    /** Wakes at this moment or earlier, in epoch ms. */
    wakeAt: (at: number) => {
      const isPlanned = next !== undefined && next.at <= at && next.at > now();
      if (isStopped || isPlanned) return;
      next?.cancel();
      const run = () => {
        next = undefined;
        wake();
      };
      const delayMs = Math.min(Math.max(at - now(), minDelayMs), maxDelayMs);
      next = { at, cancel: schedule(run, delayMs) };
    },
    stop: () => {
      isStopped = true;
      next?.cancel();
    },
  };
}

/** Does not keep the process alive. */
export const startTimer: Schedule = (run, delayMs) => {
  const timer = setTimeout(run, delayMs).unref();
  return () => clearTimeout(timer);
};
