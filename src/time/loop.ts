/** Runs a function later. Returns a function that cancels it. */
export type Schedule = (run: () => void, delayMs: number) => () => void;

/** Does not keep the process alive. */
export const startTimer: Schedule = (run, delayMs) => {
  const timer = setTimeout(run, delayMs).unref();
  return () => clearTimeout(timer);
};

export interface LoopOptions {
  /** Called with what a round throws. */
  readonly onError: (error: unknown) => void;
  /** The pause after such a round. */
  readonly retryMs: number;
  readonly schedule?: Schedule | undefined;
}

/** Runs rounds of work, one at a time. A round gives after how many ms the next one is to begin, unless that is woken before. */
export function createLoop(round: () => Promise<number>, { onError, retryMs, schedule = startTimer }: LoopOptions) {
  let running: Promise<void> | undefined;
  let cancel = (): void => undefined;
  /** When the next round begins, by a clock that nobody sets. */
  let nextAt = Number.POSITIVE_INFINITY;
  let isStopped = false;
  const begin = (): void => {
    nextAt = Number.POSITIVE_INFINITY;
    running = round()
      .catch((error: unknown) => {
        onError(error);
        return retryMs;
      })
      .then((pauseMs) => {
        running = undefined;
        const ms = Math.min(pauseMs, nextAt - performance.now());
        nextAt = Number.POSITIVE_INFINITY;
        wakeIn(ms);
      });
  };
  const wakeIn = (ms: number): void => {
    const at = ms > 0 ? performance.now() + ms : Number.NEGATIVE_INFINITY;
    if (isStopped || at >= nextAt) return;
    nextAt = at;
    cancel();
    if (running !== undefined) return;
    if (ms > 0) cancel = schedule(begin, ms);
    else begin();
  };
  const idle = async (): Promise<void> => {
    while (running !== undefined) await running;
  };
  return {
    /** Begins a round now, or after the present one. */
    wake: () => wakeIn(0),
    /** Begins a round after this pause, if none begins sooner. */
    wakeIn,
    isRunning: () => running !== undefined,
    /** Resolves when no round is under way. */
    idle,
    /** Begins no more rounds, and waits for the present one. */
    stop: async () => {
      isStopped = true;
      cancel();
      await idle();
    },
  };
}

export type Repeated = ReturnType<typeof every>;

/** Repeats the work, `ms` after the last run has ended. */
export function every(
  ms: number,
  work: () => Promise<unknown>,
  onError: (error: unknown) => void,
  schedule?: Schedule,
) {
  const round = async () => {
    await work();
    return ms;
  };
  const loop = createLoop(round, { onError, retryMs: ms, schedule });
  loop.wakeIn(ms);
  return loop;
}
