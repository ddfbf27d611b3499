/** Runs immediately, then at most once per `ms`; calls in between share one run at the end of it. */
export function atMostEvery(ms: number, run: () => void): () => void {
  let isResting = false;
  let isWanted = false;
  const start = () => {
    isResting = true;
    isWanted = false;
    // Set before `run`, which may throw: later calls must still run.
    setTimeout(() => {
      isResting = false;
      if (isWanted) start();
    }, ms).unref();
    run();
  };
  return () => {
    isWanted = true;
    if (!isResting) start();
  };
}
