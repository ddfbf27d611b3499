/** The result of the work, or undefined after `ms`. */
export async function within<T>(ms: number, work: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms).unref();
  });
  try {
    return await Promise.race([work, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Runs work with a signal that aborts after `ms`, or when another signal does. `AbortSignal.any` with `AbortSignal.timeout` would do the
 * same, but Node 20 collects such signals as garbage, and the limit is then never reached.
 */
export async function withSignal<T>(
  ms: number,
  others: readonly (AbortSignal | undefined)[],
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(timeLimit(ms)), ms);
  const listening = others.flatMap((signal) => {
    if (signal === undefined) return [];
    const abort = () => controller.abort(isTimeLimit(signal.reason) ? signal.reason : cancelled());
    if (signal.aborted) abort();
    else signal.addEventListener("abort", abort);
    return [() => signal.removeEventListener("abort", abort)];
  });
  try {
    return await work(controller.signal);
  } finally {
    clearTimeout(timer);
    for (const stop of listening) stop();
  }
}

/** Made when it is needed: each takes a trace of the stack. */
const timeLimit = (ms: number) => new DOMException(`no answer within ${Math.round(ms)} ms`, "TimeoutError");

/** Whatever a caller gave as its reason. */
const cancelled = () => new DOMException("the call was cancelled", "AbortError");

export const isTimeLimit = (reason: unknown): boolean =>
  reason instanceof DOMException && reason.name === "TimeoutError";
export const isCancellation = (reason: unknown): boolean =>
  reason instanceof DOMException && reason.name === "AbortError";
