/** Runs the work of a key once: who comes with the same key gets the outcome of the first. One that fails is forgotten. */
export type Once = (key: string, work: () => Promise<void>) => Promise<void>;

/** Far longer than Slack repeats an event: six minutes (PLATFORM.md §1.5). */
const rememberedMs = 15 * 60_000;

/** Of the repeats of an event (PLATFORM.md §1.5). */
const lastRepeat = 3;

/** Slack repeats an event that was not acknowledged. The last one is answered in any case. */
export const isRepeatedBySlack = (retryNum = 0): boolean => retryNum < lastRepeat;

export function createOnce(elapsedMs: () => number): Once {
  const begun = new Map<string, { readonly at: number; readonly done: Promise<void> }>();
  const forgetOld = () => {
    for (const [key, { at }] of begun) {
      if (elapsedMs() - at < rememberedMs) return;
      begun.delete(key);
    }
  };
  return (key, work) => {
    forgetOld();
    const earlier = begun.get(key);
    if (earlier) return earlier.done;
    const done = work();
    begun.set(key, { at: elapsedMs(), done });
    done.catch(() => begun.delete(key));
    return done;
  };
}
