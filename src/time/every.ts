export type Repeated = ReturnType<typeof every>;

/** Repeats the work, `ms` after the last run has ended. Does not keep the process alive. */
export function every(ms: number, work: () => Promise<unknown>, onError: (error: unknown) => void) {
  let round: Promise<unknown> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  const next = (): void => {
    if (isStopped) return;
    timer = setTimeout(() => {
      round = work().catch(onError).finally(next);
    }, ms).unref();
  };
  next();
  return {
    /** Runs it no more, and waits for a run under way. */
    stop: async () => {
      isStopped = true;
      clearTimeout(timer);
      await round;
    },
  };
}
