/** Does something at once, and for all who want it within `ms` after that once more when that time is over. */
export function atMostEvery(ms: number, run: () => void): () => void {
  let isResting = false;
  let isWanted = false;
  const go = () => {
    isResting = true;
    isWanted = false;
    run();
    setTimeout(() => {
      isResting = false;
      if (isWanted) go();
    }, ms).unref();
  };
  return () => {
    isWanted = true;
    if (!isResting) go();
  };
}
