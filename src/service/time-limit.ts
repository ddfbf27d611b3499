/**
 * Runs work under a signal that aborts after a time, or when the outer signal does. Kept by hand instead of with
 * `AbortSignal.any` and `AbortSignal.timeout`, which leave a timer and a listener behind for every call.
 */
export async function withTimeLimit<T>(
  limitMs: number,
  outer: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const abort = () => controller.abort(isTimeLimit(outer?.reason) ? outer?.reason : cancellation());
  const timer = setTimeout(() => controller.abort(timeLimitReason(limitMs)), limitMs);
  if (outer?.aborted) abort();
  outer?.addEventListener("abort", abort, { once: true });
  try {
    return await work(controller.signal);
  } finally {
    clearTimeout(timer);
    outer?.removeEventListener("abort", abort);
  }
}

/** The same kinds of reason that `AbortSignal.timeout` and `AbortSignal.abort` give; whatever else a caller's signal carries stays out. */
const timeLimitReason = (limitMs: number) => new DOMException(`no answer within ${limitMs} ms`, "TimeoutError");
const cancellation = () => new DOMException("the call was cancelled", "AbortError");

export const isTimeLimit = (reason: unknown): boolean =>
  reason instanceof DOMException && reason.name === "TimeoutError";
export const isCancellation = (reason: unknown): boolean =>
  reason instanceof DOMException && reason.name === "AbortError";
