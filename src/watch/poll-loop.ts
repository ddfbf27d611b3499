import { type Schedule, startTimer } from "../time/timer.ts";

export interface PollLoopOptions {
  readonly pollOnce: () => Promise<void>;
  readonly pauseMs: () => number;
  readonly onError: (error: unknown) => void;
  readonly schedule?: Schedule | undefined;
}

/** Polls again and again, with a pause after each poll. One thing runs at a time, and nothing throws. */
export function createPollLoop({ pollOnce, pauseMs, onError, schedule = startTimer }: PollLoopOptions) {
  let running: Promise<void> | undefined;
  let cancelNext: (() => void) | undefined;
  let isStopped = false;
  /** Waits for what runs already, instead of running the work. */
  const run = async (work: () => Promise<void>): Promise<void> => {
    if (isStopped) return;
    running ??= work()
      .catch(onError)
      .finally(() => {
        running = undefined;
      });
    await running;
  };
  // A pause and not a moment, since the clock may be set.
  const plan = () => {
    if (!isStopped) cancelNext = schedule(() => void poll(), pauseMs());
  };
  const poll = async (): Promise<void> => {
    cancelNext?.();
    await running;
    await run(pollOnce);
    plan();
  };
  return {
    plan,
    poll,
    run,
    idle: async () => running,
    stop: async () => {
      isStopped = true;
      cancelNext?.();
      await running;
    },
  };
}
