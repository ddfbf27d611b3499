/** Does something at once, and for all who want it within `ms` after that once more when that time is over. */
export function atMostEvery(ms: number, run: () => void): () => void {
  let isResting = false;
  let isWanted = false;
  const go = () => {
    isResting = true;
    isWanted = false;
    // Before it is done, which may fail: what is wanted later must be done all the same.
    setTimeout(() => {
      isResting = false;
      if (isWanted) go();
    }, ms).unref();
    run();
  };
  return () => {
    isWanted = true;
    if (!isResting) go();
  };
}
